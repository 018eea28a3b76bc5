/**
 * Diagnoses a camera for a user who asks for help: opens it as an ingest does, under the same address policy, writes
 * down what it says and how it is read, and measures its stream. Runs in a media worker. The connection test of the
 * pages is `../camera-probe.ts`.
 */
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { waitInTurns } from '#lib/limits/waited-turns.ts';
import type { Coded } from '../../codec/coded.ts';
import { sizeOf } from '../../codec/snapshot.ts';
import type { Diagnosis, SoundFigures } from '../../protocol/diagnosis-messages.ts';
import { faultOf, IngestFault } from '../../protocol/fault.ts';
import type { AskDiagnosis } from '../../protocol/worker-messages.ts';
import { policyOf } from '../../protocol/own-addresses.ts';
import { openSource } from '../../sources/open-source.ts';
import type { Source, SourceContext } from '../../sources/source.ts';
import { Watchdog } from '../../sources/watchdog.ts';
import { detailsOf } from './details.ts';
import { Secrets } from './left-out.ts';
import { Observation } from './observation.ts';
import { PictureMeter } from './picture-figures.ts';
import { diagnosedTrack } from './track.ts';

type Stream = Pick<Diagnosis, 'track' | 'pictures' | 'sound' | 'decoded'>;
const noStream: Stream = { track: null, pictures: null, sound: null, decoded: null };

export async function diagnose(ask: AskDiagnosis, clock: Clock): Promise<Diagnosis> {
  // FFmpeg's own log lines may hold addresses with passwords.
  Log.setLevel(AV_LOG_QUIET);
  const startedMs = clock.monotonicMs();
  const sinceMs = (): number => clock.monotonicMs() - startedMs;
  const observation = new Observation(new Secrets(ask.camera), sinceMs);
  let openedMs: number | null = null;
  let stream = noStream;
  let fault: IngestFault;
  try {
    await using source = await openInTime(ask, observation, clock);
    openedMs = Math.round(sinceMs());
    const reading = new Reading(source, sinceMs);
    fault = await reading.readFor(ask.measureMs, clock);
    stream = await reading.result();
    fault = judged(fault, stream);
  } catch (error) {
    fault = faultOf(error);
  }
  const { replies, moreReplies, choices, packets } = observation;
  const tookMs = Math.round(sinceMs());
  const said = { cause: fault.fault, details: detailsOf(fault), openedMs, tookMs };
  return { ...said, ...stream, replies, moreReplies, choices, packets };
}

/** A stream that was read to the end of the measurement is no success if it cannot be shown. */
function judged(fault: IngestFault, { pictures, decoded }: Stream): IngestFault {
  if (fault.fault !== 'none' || decoded !== null) return fault;
  return pictures?.keyPictures === 0
    ? new IngestFault('no_key_frame', 'no key picture came')
    : new IngestFault('damaged', 'cannot be decoded');
}

async function openInTime(
  { camera, reach, openTimeoutMs }: AskDiagnosis,
  observer: Observation,
  clock: Clock,
): Promise<Source> {
  const attempt = new AbortController();
  const opened = new AbortController();
  let waitsForKey = false;
  const context: SourceContext = {
    dialer: { policy: policyOf(reach) },
    fileRoots: reach.fileRoots,
    withSound: true,
    signal: attempt.signal,
    waitsForKey: () => (waitsForKey = true),
    observer,
  };
  void waitInTurns(clock, openTimeoutMs, opened.signal).then(
    () => attempt.abort(),
    () => undefined,
  );
  try {
    return await openSource(camera, context);
  } catch (error) {
    if (!attempt.signal.aborted) throw error;
    throw new IngestFault(waitsForKey ? 'no_key_frame' : 'no_packets', 'not open in time', error);
  } finally {
    opened.abort();
  }
}

/** Reads an open source and measures what comes. */
class Reading {
  readonly #source: Source;
  readonly #sinceMs: () => number;
  readonly #pictures = new PictureMeter();
  #soundFrames = 0;
  #soundBytes = 0;
  #decoding: ReturnType<typeof sizeOf> | null = null;
  #readMs = 0;

  constructor(source: Source, sinceMs: () => number) {
    this.#source = source;
    this.#sinceMs = sinceMs;
  }

  /** Resolves with the reason for the end; `none`: the time was up. */
  async readFor(measureMs: number, clock: Clock): Promise<IngestFault> {
    const source = this.#source;
    const openedMs = this.#sinceMs();
    using watchdog = new Watchdog({
      clock,
      silent: () => source.abort(new IngestFault('no_packets', 'silent')),
      // The caller ends this process.
      hung: () => undefined,
    });
    const over = new AbortController();
    void clock.wait(measureMs, over.signal).then(
      () => source.abort(new IngestFault('none')),
      () => undefined,
    );
    try {
      for (let coded = await source.read(); coded; coded = await source.read()) {
        if (coded.kind === 'picture') watchdog.alive();
        this.#take(coded);
      }
      return new IngestFault('ended', 'the camera ended the stream');
    } catch (error) {
      return faultOf(error);
    } finally {
      over.abort();
      this.#readMs = this.#sinceMs() - openedMs;
    }
  }

  /** Before the source is closed. */
  async result(): Promise<Stream> {
    const { track } = this.#source;
    return {
      track: diagnosedTrack(track),
      pictures: this.#pictures.figures(),
      sound: this.#sound(),
      decoded: await this.#decoding,
    };
  }

  #take(coded: Coded): void {
    if (coded.kind === 'sound') {
      this.#soundFrames += 1;
      this.#soundBytes += coded.data.length;
      return;
    }
    this.#pictures.take(coded, this.#sinceMs());
    // Beside the reading, which must not wait for it.
    if (coded.key) this.#decoding ??= sizeOf(this.#source.track, coded).catch(() => null);
  }

  #sound(): SoundFigures | null {
    const { sound } = this.#source;
    if (!sound) return null;
    const { codec, parameters } = sound;
    const bitsPerSecond = Math.round((this.#soundBytes * 8_000) / Math.max(1, this.#readMs));
    return {
      codec,
      sampleRate: parameters.sampleRate,
      channels: parameters.channels,
      frames: this.#soundFrames,
      bitsPerSecond,
    };
  }
}
