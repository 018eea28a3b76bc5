/**
 * What recording cameras costs and what a kill loses, beside Debian's ffmpeg copying the same cameras in the same
 * run. Promises: 1.2 % of a core for each recorded 720p30 camera, 4 % with its sub-stream analyzed while no person is
 * in view, no picture missing, at most a quarter of a second lost at `kill -9`.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { RtspServer } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import { copied, recorded, type Capacity, type CapacityOptions } from './media/capacity.ts';
import { muxers, type MuxerName } from './media/ffmpeg-recorder.ts';
import { ffmpegLosses, ownLosses } from './media/loss.ts';
import { makeStreams } from './media/streams.ts';
import { spreadOf, tenth, whole } from './rig/numbers.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const parts = ['recorded', 'analyzed', 'loss'] as const;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'string' },
    only: { type: 'string', default: parts.join(',') },
    /** How many cameras, one after another. */
    cameras: { type: 'string', default: '1,4,8,16' },
    /** How many cameras of the largest number are analyzed, too. */
    analyzed: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '30' },
    kills: { type: 'string', default: '10' },
  },
});
const only = values.only.split(',');
const counts = values.cameras.split(',').map(Number);
const kills = Number(values.kills);
/** The losses of ffmpeg hardly vary. */
const peerKills = 10;
const perCamera = (cpuMs: number, cameras: number): string =>
  `${(cpuMs / 10 / cameras).toFixed(2)} %`;

function row(
  { cameras, analyzed, cpu, wanted, missing, conditions }: Capacity,
  peer: number | null,
) {
  const hosts = cpu['media host']!;
  const all = Object.values(cpu).reduce((a, b) => a + b, 0);
  return [
    analyzed === 0 ? `${cameras} recorded` : `${cameras} recorded, ${analyzed} of them analyzed`,
    perCamera(hosts, cameras),
    perCamera(all, cameras),
    peer === null ? '-' : perCamera(peer, cameras),
    peer === null ? '-' : tenth(hosts / peer),
    `${missing} of ${wanted}`,
    tenth(conditions.load),
    `${whole(conditions.busy * 100)} %`,
  ];
}

async function capacities(options: CapacityOptions): Promise<{ rows: string[][]; all: object[] }> {
  const rows: string[][] = [];
  const all: object[] = [];
  const add = (ours: Capacity, peer: number | null): void => {
    rows.push(row(ours, peer));
    all.push({ ...ours, ffmpeg: peer });
    console.error(rows.at(-1)!.join('  '));
  };
  if (only.includes('recorded')) {
    for (const count of counts)
      add(await recorded(options, count, 0), await copied(options, count));
  }
  if (only.includes('analyzed')) {
    const [most, analyzed] = [Math.max(...counts), Number(values.analyzed)];
    for (const [cameras, seen] of [
      [1, 1],
      [most, Math.min(most, analyzed)],
    ] as const) {
      add(await recorded(options, cameras, seen), null);
    }
  }
  return { rows, all };
}

async function losses(product: Product, address: string) {
  const own = await ownLosses(product, address, kills);
  console.log(`${own.files} files, ${own.mute} of them without a picture; index and files:`);
  for (const said of own.checks) console.log(`  ${said}`);
  const all: Record<string, readonly number[]> = { Nazar: own.losses };
  for (const muxer of Object.keys(muxers) as MuxerName[]) {
    all[`ffmpeg, ${muxer}`] = await ffmpegLosses(address, muxer, Math.min(kills, peerKills));
  }
  return { own, all };
}

async function run(): Promise<void> {
  using streams = makeStreams();
  const most = Math.max(...counts);
  const rtsp = new RtspServer(streams.folder, await freePort(), ['--cams', String(most)]);
  await rtsp.start();
  const base = `rtsp://127.0.0.1:${rtsp.port}`;
  const results: Record<string, object> = {};
  try {
    await using product = await Product.start();
    const address = (i: number): string => `${base}/cam${i}`;
    const subAddress = (i: number): string => `${base}/sub${i}`;
    const { rows, all } = await capacities({
      product,
      address,
      subAddress,
      seconds: Number(values.seconds),
    });
    const head = ['', 'a camera, hosts', 'all', 'ffmpeg', 'times', 'missing', 'load', 'busy'];
    if (rows.length > 0) console.log(`\n${table(head, rows)}`);
    results['capacity'] = all;
    if (only.includes('loss')) {
      const { own, all: lost } = await losses(product, address(0));
      const lossRows = Object.entries(lost).map(([who, ms]) => {
        const { n, p50, max } = spreadOf(ms);
        return [who, String(n), whole(p50), whole(max)];
      });
      console.log(`\n${table(['ms lost at kill -9', 'kills', 'median', 'most'], lossRows)}`);
      results['loss'] = { ...own, all: lost };
    }
  } finally {
    await rtsp.stop();
  }
  if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 2));
}

await withFilms(run);
