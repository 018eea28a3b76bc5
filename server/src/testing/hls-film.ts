/** A film as the files of HTTP Live Streaming, cut by FFmpeg at each second. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, FormatContext, Packet } from 'node-av/lib';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import type { HlsFilm } from '@nazar/e2e/farm/hls-camera.ts';
import { writeCodedFilm } from './coded-film.ts';

/** `fmp4`: with a head of its own. */
export async function makeHlsFilm(kind: 'mpegts' | 'fmp4', seconds: number): Promise<HlsFilm> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-hls-'));
  try {
    const whole = join(folder, 'whole');
    const shape = { ...smallFilm, pictures: smallFilm.fps * seconds };
    await writeCodedFilm(whole, { codec: 'h264', bFrames: 0, shape });
    await cut(whole, join(folder, 'list.m3u8'), kind);
    const parts = readdirSync(folder)
      .filter((name) => /^list\d+\./.test(name))
      .toSorted((a, b) => Number(a.match(/\d+/)) - Number(b.match(/\d+/)));
    const segments = parts.map((name) => readFileSync(join(folder, name)));
    const head = kind === 'fmp4' ? readFileSync(join(folder, 'init.mp4')) : null;
    return { segments, head, secondsEach: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cut(from: string, to: string, kind: 'mpegts' | 'fmp4'): Promise<void> {
  const input = new FormatContext();
  must(await input.openInput(from, null, null));
  must(await input.findStreamInfo(null));
  const output = new FormatContext();
  must(output.allocOutputContext2(null, 'hls', to));
  const [source] = input.streams;
  const stream = output.newStream(null);
  must(source!.codecpar.copy(stream.codecpar));
  stream.codecpar.codecTag = 0;
  using options = Dictionary.fromObject({
    hls_time: 1,
    hls_list_size: 0,
    hls_segment_type: kind,
    hls_fmp4_init_filename: 'init.mp4',
  });
  must(await output.writeHeader(options));
  using packet = new Packet();
  packet.alloc();
  while ((await input.readFrame(packet)) >= 0) {
    packet.rescaleTs(source!.timeBase, stream.timeBase);
    must(await output.interleavedWriteFrame(packet));
  }
  must(await output.writeTrailer());
  await input.closeInput();
  output.freeContext();
}

function must(result: number): void {
  if (result < 0) throw new Error(`the film cannot be cut (${result})`);
}
