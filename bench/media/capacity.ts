/** What recording costs for each camera, and what ffmpeg's copy of the same cameras costs, in turn. */
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMsOf, groupsOf, Machine, share, type Conditions } from '../rig/processes.ts';
import type { Product } from '../rig/product.ts';
import { FfmpegRecorder } from './ffmpeg-recorder.ts';
import { missing, recordedFiles } from './files.ts';

export interface CapacityOptions {
  readonly product: Product;
  /** The address of the i-th camera, and that of its sub-stream. */
  readonly address: (i: number) => string;
  readonly subAddress: (i: number) => string;
  readonly seconds: number;
}

export interface Capacity {
  readonly cameras: number;
  /** How many of these are analyzed, too, by their sub-stream. */
  readonly analyzed: number;
  /** Processor milliseconds a second of all cameras, by process. */
  readonly cpu: Record<string, number>;
  readonly wanted: number;
  readonly missing: number;
  readonly conditions: Conditions;
}

/** Segments begin, hosts start, and the database writes its first rows within this time. */
const settleMs = 12_000;

export async function recorded(
  { product, address, subAddress, seconds }: CapacityOptions,
  cameras: number,
  analyzed: number,
): Promise<Capacity> {
  const ids = await Promise.all(
    Array.from({ length: cameras }, async (_, i) => {
      const sub_url = i < analyzed ? subAddress(i) : '';
      const camera = await product.addCamera(address(i), i < analyzed, { sub_url });
      await product.record(camera.id);
      return camera.id;
    }),
  );
  await wait(settleMs);
  const groups = groupsOf(product.nazar);
  const machine = new Machine();
  const startedAt = performance.now();
  const before = cpuMsOf(groups);
  await wait(seconds * 1000);
  const cpu = share(before, cpuMsOf(groups), performance.now() - startedAt);
  const conditions = machine.conditions();
  const counts = ids.map((id) => missing(recordedFiles(product.dataFolder, id)));
  for (const id of ids) await product.removeCamera(id);
  const sum = (of: 'wanted' | 'missing'): number => counts.reduce((all, it) => all + it[of], 0);
  return { cameras, analyzed, cpu, wanted: sum('wanted'), missing: sum('missing'), conditions };
}

/** Processor milliseconds a second of all of them together. */
export async function copied(
  { address, seconds }: CapacityOptions,
  cameras: number,
): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const all = Array.from({ length: cameras }, (_, i) => stack.use(new FfmpegRecorder(address(i))));
  await wait(settleMs);
  const groups = { ffmpeg: all.map(({ pid }) => pid) };
  const startedAt = performance.now();
  const before = cpuMsOf(groups);
  await wait(seconds * 1000);
  return share(before, cpuMsOf(groups), performance.now() - startedAt)['ffmpeg']!;
}
