/**
 * Plays video files of this machine in a loop and in real time, for the demo camera. Only files in the folders that the
 * server configured are opened, with links resolved first.
 */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Coded } from '../codec/coded.ts';
import { IngestFault } from '../protocol/fault.ts';
import { FormatSource } from './format-source.ts';
import type { Reachable } from '../protocol/messages.ts';
import { ticksPerSecond } from '../codec/timeline.ts';
import type { Source, SourceContext } from './source.ts';

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

/** Delivers packets when they are due, and begins again at the end if it can, with times that go on. */
export function inRealTime(source: FormatSource, begins: 'again' | 'once' = 'again'): Source {
  const { track, sound } = source;
  const { fps } = track;
  const pacer = new Pacer();
  const stopped = new AbortController();
  let fault: IngestFault | null = null;
  let shift = 0;
  let last = 0;
  const step = Math.round(ticksPerSecond / (fps > 0 ? fps : 25));
  const next = async (): Promise<Coded | null> => {
    const coded = await source.read();
    if (coded) return coded;
    if (begins === 'once' || !(await source.rewind())) return null;
    shift = last + step;
    return await source.read();
  };
  return {
    track,
    sound,
    read: async () => {
      const coded = await next();
      if (!coded) return null;
      const pts = coded.pts === null ? null : coded.pts + shift;
      const dts = coded.dts === null ? null : coded.dts + shift;
      const time = dts ?? pts ?? last + step;
      if (coded.kind === 'picture') last = time;
      await wait(pacer.aheadMs(time), undefined, { signal: stopped.signal }).catch(() => undefined);
      if (fault) throw fault;
      return { ...coded, pts, dts };
    },
    abort: (why) => {
      fault ??= why;
      stopped.abort();
      source.abort(why);
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

class Pacer {
  readonly #startedMs = performance.now();
  #first: number | null = null;

  /** Milliseconds until a packet with that time, in ticks, is due. */
  aheadMs(time: number): number {
    this.#first ??= time;
    const mediaMs = ((time - this.#first) * 1000) / ticksPerSecond;
    return Math.max(0, mediaMs - (performance.now() - this.#startedMs));
  }
}
