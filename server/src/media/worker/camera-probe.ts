/**
 * Tests the connection to a camera: opens it as an ingest does, under the same address policy, and reads up
 * to its first picture. Runs in a media worker.
 */
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { waitInTurns } from '#lib/limits/waited-turns.ts';
import { policyOf } from '../protocol/own-addresses.ts';
import { faultOf, IngestFault } from '../protocol/fault.ts';
import type { Coded } from '../codec/coded.ts';
import { jpegOf, sizeOf } from '../codec/snapshot.ts';
import { MaskPainter } from '../mask/mask-painter.ts';
import { openSource } from '../sources/open-source.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import type { AskConnection, ConnectionAnswer } from '../protocol/worker-messages.ts';

/** The still of a test: large enough to tell one camera from another, and about 30 kB. */
const still = { maxSide: 640, quality: 70 };
/** A JPEG of noise at that size has less. */
const maxStillBytes = 300_000;

/** The rate of a camera that does not announce one is measured for so long, or for so many pictures. */
const rateMs = 1_000;
const ratePictures = 30;

const nothing: ConnectionAnswer = {
  cause: 'none',
  latencyMs: null,
  contentType: null,
  codec: null,
  width: null,
  height: null,
  fps: null,
};

/** `body`: the still, where one was wanted and a picture came. */
export interface ProbeAnswer {
  readonly head: ConnectionAnswer;
  readonly body?: Buffer;
}

export async function testConnection(ask: AskConnection, clock: Clock): Promise<ProbeAnswer> {
  // FFmpeg's own log lines may hold addresses with passwords.
  Log.setLevel(AV_LOG_QUIET);
  const { reach, camera, timeoutMs } = ask;
  const startedMs = clock.monotonicMs();
  let contentType: string | null = null;
  let waitsForKey = false;
  const attempt = new AbortController();
  const context: SourceContext = {
    dialer: { policy: policyOf(reach) },
    fileRoots: reach.fileRoots,
    signal: attempt.signal,
    contentType: (type) => (contentType = type),
    waitsForKey: () => (waitsForKey = true),
  };
  let opened: Source | null = null;
  const over = new AbortController();
  const giveUp = async (): Promise<void> => {
    await waitInTurns(clock, timeoutMs, over.signal);
    attempt.abort();
    opened?.abort(new IngestFault('no_packets', 'no picture in time'));
  };
  void giveUp().catch(() => undefined);
  try {
    await using source = await openSource(camera, context);
    opened = source;
    const key = await firstKey(source, () => (waitsForKey = true));
    // Many streams can be read that no one can see.
    if (!(await sizeOf(source.track, key))) throw new IngestFault('damaged', 'cannot be decoded');
    const measures = await measured(source, startedMs, clock);
    const body = ask.wantsStill ? await stillOf(source, key) : null;
    return { head: { ...nothing, contentType, ...measures }, ...(body && { body }) };
  } catch (error) {
    const late = waitsForKey ? 'no_key_frame' : 'no_packets';
    const { fault } = attempt.signal.aborted ? new IngestFault(late) : faultOf(error);
    return { head: { ...nothing, cause: fault, contentType } };
  } finally {
    over.abort();
  }
}

/** Nothing is masked: a camera that is not saved has no masks. */
async function stillOf({ track }: Source, key: Coded): Promise<Buffer | null> {
  const jpeg = await jpegOf(track, key, 0, new MaskPainter({ hides: [], shows: [] }), still);
  return jpeg && jpeg.length <= maxStillBytes ? jpeg : null;
}

/** The first picture that can be decoded without any other. `passed`: called with each picture before it. */
async function firstKey(source: Source, passed: () => void): Promise<Coded> {
  for (;;) {
    const coded = await source.read();
    if (!coded) throw new IngestFault('ended');
    if (coded.kind === 'sound') continue;
    if (coded.key) return coded;
    passed();
  }
}

/** Reads the stream further where the rate must be measured; the time is that of the first picture. */
async function measured(
  source: Source,
  startedMs: number,
  clock: Clock,
): Promise<Pick<ConnectionAnswer, 'latencyMs' | 'codec' | 'width' | 'height' | 'fps'>> {
  const { codec, width, height, fps: announced } = source.track;
  const firstMs = clock.monotonicMs();
  const latencyMs = Math.round(firstMs - startedMs);
  let pictures = 0;
  while (announced === 0 && pictures < ratePictures && clock.monotonicMs() - firstMs < rateMs) {
    await pass(source);
    pictures += 1;
  }
  const counted = (pictures * 1000) / (clock.monotonicMs() - firstMs);
  const fps = announced > 0 ? announced : counted;
  return { latencyMs, codec, width, height, fps: fps > 0 ? Math.round(fps * 10) / 10 : null };
}

async function pass(source: Source): Promise<void> {
  if (!(await source.read())) throw new IngestFault('ended');
}
