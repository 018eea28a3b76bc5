/**
 * Films on this machine, played in a loop as fast as a camera would: for the demo camera. Only files inside
 * the folders the server named, links resolved first (C-507).
 */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Packet } from 'node-av/lib';
import { IngestFault } from '../fault.ts';
import { FormatSource } from './format-source.ts';
import type { Reachable } from '../messages.ts';
import type { Source, SourceContext, TimeBase } from './source.ts';

export async function openFile(camera: Reachable, context: SourceContext): Promise<Source> {
  const path = await realpath(camera.url).catch((error: unknown) => {
    throw new IngestFault('not_found', 'no such file', error);
  });
  const roots = await Promise.all(
    context.fileRoots.map((root) => realpath(root).catch(() => null)),
  );
  if (!roots.some((root) => root && path.startsWith(root + sep))) {
    throw new IngestFault('address_refused', 'not in an allowed folder');
  }
  const source = await FormatSource.open({
    url: path,
    withSound: context.withSound ?? false,
    options: { protocol_whitelist: 'file', format_whitelist: 'mov,mp4,matroska,webm,h264,mpegts' },
    stop: () => undefined,
    why: () => null,
  });
  return inRealTime(source);
}

/** Hands packets on when their time has come, and begins again at the end, where it can, with times that go on. */
export function inRealTime(source: FormatSource, begins: 'again' | 'once' = 'again'): Source {
  const { track, sound } = source;
  const { timeBase, fps } = track;
  const pacer = new Pacer(timeBase);
  const stopped = new AbortController();
  let fault: IngestFault | null = null;
  let shift = 0n;
  let last = 0n;
  const step = BigInt(Math.round(timeBase.den / timeBase.num / (fps > 0 ? fps : 25)));
  const next = async (): Promise<Packet | null> => {
    const packet = await source.read();
    if (packet) return packet;
    if (begins === 'once' || !(await source.rewind())) return null;
    shift = last + step;
    return await source.read();
  };
  return {
    track,
    sound,
    read: async () => {
      const packet = await next();
      if (!packet) return null;
      const isSound = packet.streamIndex === sound?.index;
      const own = isSound ? sound.timeBase : timeBase;
      packet.dts += rescaled(shift, timeBase, own);
      packet.pts += rescaled(shift, timeBase, own);
      const time = rescaled(packet.dts, own, timeBase);
      if (!isSound) last = time;
      await wait(pacer.aheadMs(time), undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!fault) return packet;
      packet.free();
      throw fault;
    },
    abort: (why) => {
      fault ??= why;
      stopped.abort();
      source.abort(why);
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

function rescaled(time: bigint, from: TimeBase, to: TimeBase): bigint {
  return (time * BigInt(from.num * to.den)) / BigInt(from.den * to.num);
}

class Pacer {
  readonly #base: TimeBase;
  readonly #startedMs = performance.now();
  #first: bigint | null = null;

  constructor(base: TimeBase) {
    this.#base = base;
  }

  /** How long until a packet of that time is due. */
  aheadMs(time: bigint): number {
    this.#first ??= time;
    const mediaMs = (Number(time - this.#first) * this.#base.num * 1000) / this.#base.den;
    return Math.max(0, mediaMs - (performance.now() - this.#startedMs));
  }
}
