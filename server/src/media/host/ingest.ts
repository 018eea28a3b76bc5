/**
 * Ingests one stream of a camera for as long as it is wanted: connects, passes packets on, notices when they stop, says
 * why, and tries again. A fault here does not reach the other cameras of the host.
 */
import type { StreamHealth } from '@nazar/contract/cameras.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import { waitInTurns } from '#lib/limits/waited-turns.ts';
import type { Coded } from '../codec/coded.ts';
import { IngestFault, faultOf, lineOf, stateOf } from '../protocol/fault.ts';
import { Health } from '../protocol/health.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import { openSource } from '../sources/open-source.ts';
import type { Source, SourceContext } from '../sources/source.ts';
import { isUsable } from './audio/recorded-audio.ts';
import { Watchdog } from '../sources/watchdog.ts';
import type { SoundTrack, Track } from '../protocol/track.ts';

export interface IngestListener {
  health(health: StreamHealth): void;
  /** A native read does not end: this process must be killed. */
  hung(): void;
  log(level: 'info' | 'warn', text: string): void;
}

/** Takes everything that one connection brings. */
export interface Consumer extends AsyncDisposable {
  /**
   * Takes pictures in order. Resolves with false while a picture cannot be used: before the first key frame.
   * `arrivedMs`: when it came, on the monotonic clock.
   */
  push(picture: Coded, wallMs: number, arrivedMs: number): Promise<boolean>;
  /** Whether pictures are timed by their arrival, because the camera's times are of no use. */
  readonly isTimedByArrival: boolean;
  pushSound(sound: Coded, wallMs: number): Promise<void>;
}

export interface IngestOptions {
  readonly camera: MediaCamera;
  readonly context: Omit<SourceContext, 'signal'>;
  readonly clock: Clock;
  readonly listener: IngestListener;
  readonly consume: (track: Track, sound: SoundTrack | null) => Consumer;
}

/** A camera that needs longer from the first byte to the first picture counts as hung (R-07: <= 10 s). */
const openTimeoutMs = 8_000;
/** Smart codecs send key pictures this far apart: so long an attempt waits while other pictures come. */
const keyTimeoutMs = 30_000;
/** Cameras lock an account after a few wrong passwords. */
const refusedRetryMs = 60_000;
/** A short outage (a switch that restarts) is over within seconds: retries come every 2 s. */
const shortOutageMs = 15_000;
const eager = { firstMs: 1_000, maxMs: 2_000 };
const patient = { firstMs: 4_000, maxMs: 30_000 };
/** One log line a camera and minute at most. */
const logEveryMs = 60_000;

export class Ingest implements AsyncDisposable {
  readonly #options: IngestOptions;
  readonly #health: Health;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #endAttempt: ((fault: IngestFault) => void) | null = null;
  #downSinceMs: number | null = null;
  #failures = 0;
  #loggedAtMs = -logEveryMs;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#health = new Health(options.clock, (health) => options.listener.health(health));
    // The caller receives no event of this ingest before it holds the object.
    this.#running = Promise.resolve().then(() => this.#keepRunning());
  }

  get health(): StreamHealth {
    return this.#health.now;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#endAttempt?.(new IngestFault('none'));
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    this.#health.set('connecting', 'starting');
    while (!signal.aborted) {
      const fault = await this.#attempt().then(
        () => new IngestFault('ended'),
        (error: unknown) => faultOf(error),
      );
      if (signal.aborted) break;
      const delayMs = this.#delayMs(fault);
      this.#health.set(stateOf(fault.fault), fault.fault, delayMs);
      this.#log(fault);
      await clock.wait(delayMs, signal).catch(() => undefined);
    }
  }

  #delayMs(fault: IngestFault): number {
    const nowMs = this.#options.clock.monotonicMs();
    this.#downSinceMs ??= nowMs;
    this.#failures += 1;
    if (fault.fault === 'password_refused') return refusedRetryMs;
    const short = nowMs - this.#downSinceMs < shortOutageMs;
    if (short) return backoffMs(eager, this.#failures, Math.random);
    const longFailures = Math.max(1, this.#failures - shortOutageMs / eager.maxMs);
    return backoffMs(patient, longFailures, Math.random);
  }

  #log(fault: IngestFault): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < logEveryMs) return;
    this.#loggedAtMs = nowMs;
    this.#options.listener.log('warn', lineOf(fault));
  }

  /** One attempt, from connecting to the end of the stream. */
  async #attempt(): Promise<void> {
    const { clock, listener } = this.#options;
    await using source = await this.#open();
    using watchdog = new Watchdog({
      clock,
      silent: () => source.abort(new IngestFault('no_packets')),
      hung: () => listener.hung(),
    });
    this.#endAttempt = (fault) => {
      source.abort(fault);
      watchdog.endSource();
    };
    try {
      await this.#consume(source, watchdog);
    } finally {
      this.#endAttempt = null;
    }
  }

  async #open(): Promise<Source> {
    const { camera, context, clock, listener } = this.#options;
    const attempt = new AbortController();
    const opened = new AbortController();
    this.#endAttempt = () => attempt.abort();
    if (this.#stop.signal.aborted) attempt.abort();
    let waitsForKey = false;
    const late = async (): Promise<void> => {
      await waitInTurns(clock, openTimeoutMs, opened.signal);
      if (waitsForKey) {
        this.#health.set('stalled', 'no_key_frame');
        await waitInTurns(clock, keyTimeoutMs - openTimeoutMs, opened.signal);
      }
      attempt.abort();
      await waitInTurns(clock, openTimeoutMs, opened.signal);
      listener.hung();
    };
    void late().catch(() => undefined);
    try {
      return await openSource(camera, {
        ...context,
        signal: attempt.signal,
        waitsForKey: () => (waitsForKey = true),
      });
    } catch (error) {
      if (!attempt.signal.aborted) throw error;
      const fault = waitsForKey ? 'no_key_frame' : 'no_packets';
      throw new IngestFault(fault, 'not open in time', error);
    } finally {
      opened.abort();
      this.#endAttempt = null;
    }
  }

  #timed(byArrival: boolean): void {
    if (byArrival === this.#health.now.timed_by_arrival) return;
    this.#health.timedByArrival(byArrival);
    const text = byArrival
      ? 'The times that the camera sends do not fit when its pictures arrive: they are timed by arrival.'
      : 'The times that the camera sends fit again when its pictures arrive.';
    this.#options.listener.log('warn', text);
  }

  async #consume(source: Source, watchdog: Watchdog): Promise<void> {
    const { clock, consume } = this.#options;
    await using consumer = consume(source.track, source.sound);
    let live = false;
    const openedAtMs = clock.monotonicMs();
    for (;;) {
      const coded = await source.read();
      if (!coded) return;
      if (coded.kind === 'sound') {
        await consumer.pushSound(coded, clock.now());
        continue;
      }
      // Sound alone is no sign of life: the picture may have stopped.
      watchdog.working();
      const used = await consumer.push(coded, clock.now(), clock.monotonicMs());
      watchdog.alive();
      if (!used) {
        if (!live && clock.monotonicMs() - openedAtMs >= openTimeoutMs)
          this.#health.set('stalled', 'no_key_frame');
        continue;
      }
      if (!live) {
        live = true;
        this.#failures = 0;
        this.#downSinceMs = null;
        this.#health.live(source.track, audioCodecOf(source));
      }
      this.#health.picture();
      this.#timed(consumer.isTimedByArrival);
    }
  }
}

const audioCodecOf = ({ sound }: Source): string | null =>
  sound && isUsable(sound) ? sound.codec : null;
