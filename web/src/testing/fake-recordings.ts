/** A camera's recordings, a clock and a player for tests of the recorded player: no browser, no server. */
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { CameraTimeline, GapCause } from '@nazar/contract/recordings.ts';
import { Problem } from '#api/problem.ts';
import type { Clock } from '#parts/player/recorded/clock.ts';
import type { Fragment } from '#parts/player/recorded/media-map.ts';
import type {
  EngineEvents,
  GivenPlaylist,
  PlaybackEngine,
} from '#parts/player/recorded/playback-engine.ts';
import type { Period, RecordedServer } from '#parts/player/recorded/recorded-server.ts';

export class FakeClock implements Clock {
  #nowMs: number;
  readonly #due = new Set<{ atMs: number; work: () => void }>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, work: () => void): Disposable {
    const one = { atMs: this.#nowMs + ms, work };
    this.#due.add(one);
    return { [Symbol.dispose]: () => void this.#due.delete(one) };
  }

  /** How much is still to be done. */
  get waiting(): number {
    return this.#due.size;
  }

  /** Does what is due on the way, in its order; answers may come in between. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#due].sort((one, other) => one.atMs - other.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#due.delete(next);
      this.#nowMs = next.atMs;
      next.work();
      await settled();
    }
    this.#nowMs = untilMs;
    await settled();
  }
}

/** All answers that are there have been read. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export const refused = (status: number, code: string, detail = code): Problem =>
  new Problem(status, code, detail);

const playable = 'video/mp4; codecs="avc1.64001f"';
const fileMs = 10_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Files of ten seconds in spans of time; what is asked for is written down. */
export class FakeRecordings implements RecordedServer {
  readonly begun: (Period & { encoded: boolean })[] = [];
  readonly timelines: Period[] = [];
  /** Spans of wall time, in milliseconds. */
  spans: [number, number][] = [];
  gaps: { cause: GapCause; fromMs: number; untilMs: number | null }[] = [];
  mime = playable;
  encodedMime = playable;
  masked = false;
  /** The file that is being written is in the timeline and in no playlist. */
  writtenSinceMs: number | null = null;
  /** Thrown by the next tickets. */
  refusal: Problem | null = null;
  timelineRefusal: Problem | null = null;
  /** Timelines are answered after this. */
  beforeTimeline: Promise<void> | null = null;

  files(playlist: string): Fragment[] {
    const ticket = this.begun[Number(playlist.split('=')[1])];
    if (ticket === undefined) throw new Error(`no ticket has ${playlist}`);
    let startS = 0;
    return this.#files(ticket).map((wallMs) => {
      const file = { startS, durationS: fileMs / 1000, wallMs };
      startS += file.durationS;
      return file;
    });
  }

  #files({ fromMs, untilMs }: Period): number[] {
    const files = this.spans.flatMap(([start, end]) =>
      Array.from({ length: Math.floor((end - start) / fileMs) }, (_, at) => start + at * fileMs),
    );
    return files.filter((at) => at < untilMs && at + fileMs > fromMs);
  }

  async begin(period: Period, encoded: boolean): Promise<PlaybackTicket> {
    if (this.refusal !== null) throw this.refusal;
    const [first] = this.#files(period);
    if (first === undefined) throw refused(404, 'recording_not_found');
    const ticket = String(this.begun.push({ ...period, encoded }) - 1);
    return {
      ticket,
      expires_at: iso(0),
      playlist: `index.m3u8?ticket=${ticket}`,
      starts_at: iso(first),
      mimes: [encoded || this.masked ? this.encodedMime : this.mime],
      masked: this.masked,
      encoded: encoded || this.masked,
    };
  }

  async timeline(period: Period): Promise<Pick<CameraTimeline, 'spans' | 'gaps'>> {
    this.timelines.push(period);
    if (this.beforeTimeline !== null) await this.beforeTimeline;
    if (this.timelineRefusal !== null) throw this.timelineRefusal;
    const { fromMs, untilMs } = period;
    const written = this.writtenSinceMs;
    const all = written === null ? this.spans : [...this.spans, [written, Infinity] as const];
    const spans = all
      .filter(([start, end]) => start < untilMs && end > fromMs)
      .map(([start, end]) => ({
        type: 'continuous' as const,
        started_at: iso(start),
        ended_at: iso(Math.min(end, untilMs)),
      }));
    const gaps = this.gaps
      .filter((gap) => gap.fromMs < untilMs && (gap.untilMs ?? Infinity) > fromMs)
      .map((gap) => ({
        cause: gap.cause,
        started_at: iso(gap.fromMs),
        ended_at: gap.untilMs === null ? null : iso(gap.untilMs),
      }));
    return { spans, gaps };
  }
}

/** Does nothing by itself: a test says when the playlist is here and what is shown. */
export class FakeEngine implements PlaybackEngine {
  readonly log: string[] = [];
  events: EngineEvents | null = null;
  readonly #recordings: FakeRecordings;
  #playlist: string | null = null;

  constructor(recordings: FakeRecordings) {
    this.#recordings = recordings;
  }

  canPlay(mime: string): boolean {
    return mime === playable;
  }
  load({ playlist }: GivenPlaylist): void {
    this.log.push(`load ${playlist}`);
    this.#playlist = playlist;
  }
  start(mediaS: number): void {
    this.log.push(`start ${mediaS}`);
  }
  renew(playlist: string): void {
    this.log.push(`renew ${playlist}`);
  }
  seek(mediaS: number): void {
    this.log.push(`seek ${mediaS}`);
  }
  setPlaying(isPlaying: boolean): void {
    this.log.push(isPlaying ? 'play' : 'pause');
  }
  setSpeed(speed: number): void {
    this.log.push(`speed ${speed}`);
  }
  setCorrection(factor: number): void {
    this.log.push(`correct ${factor.toFixed(3)}`);
  }
  step(direction: 1 | -1): void {
    this.log.push(`step ${direction}`);
  }
  unload(): void {
    this.log.push('unload');
    this.#playlist = null;
  }

  /** The playlist that was asked for is here. */
  arrive(): void {
    if (this.#playlist === null) throw new Error('no playlist was asked for');
    this.events?.onFragments(this.#recordings.files(this.#playlist));
  }

  /** The newest of what was done that begins so. */
  last(beginning: string): string | undefined {
    return this.log.findLast((one) => one.startsWith(beginning));
  }
}
