/**
 * Passes one of a camera's two streams on to its recorder. Another one is taken at its next key frame, and until then
 * the one before goes on, so that a change of settings leaves no gap. A sub-stream that is lost is replaced by the main
 * stream.
 */
import type { CameraHealth, StreamName } from '@nazar/contract/cameras.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Init } from '../../mp4/remuxer.ts';
import { nearestStream } from '../../protocol/recorded-stream.ts';
import type { Fragment } from '../live/live-stream.ts';
import type { StreamSink } from '../live/passthrough.ts';
import type { Recorder } from './recorder.ts';

export type ChosenRecorder = Pick<
  Recorder,
  'isWanted' | 'setCodec' | 'begin' | 'push' | 'end' | 'interrupt'
>;

export class StreamChoice {
  readonly main: StreamTap;
  readonly sub: StreamTap;
  readonly recorder: ChosenRecorder;
  /** The stream that is to be recorded. */
  chosen: StreamTap;
  /** The stream that is passed on now; null: none was yet, or it ended. */
  current: StreamTap | null = null;
  /** The last that is known: a main stream that is away does not become lower. */
  #mainHeight: number | null = null;

  /** `nameOf`: what pictures of a stream show now (`protocol/stream-pair.ts`). */
  constructor(recorder: ChosenRecorder, nameOf: (stream: StreamName) => string) {
    this.recorder = recorder;
    this.main = new StreamTap(this, () => nameOf('main'));
    this.sub = new StreamTap(this, () => nameOf('sub'));
    this.chosen = this.main;
  }

  /** By what arrives now, and the height that the settings ask for. */
  choose({ state, height, sub }: CameraHealth, wanted: number): StreamName {
    if (state === 'live') this.#mainHeight = height ?? this.#mainHeight;
    const subHeight = sub?.state === 'live' ? sub.height : null;
    const name = nearestStream({ main: this.#mainHeight, sub: subHeight }, wanted);
    this.chosen = this[name];
    return name;
  }
}

export class StreamTap implements StreamSink {
  readonly #choice: StreamChoice;
  readonly #shows: () => string;
  #codec = '';
  #init: Init | null = null;

  constructor(choice: StreamChoice, shows: () => string) {
    this.#choice = choice;
    this.#shows = shows;
  }

  /** Whether its pictures must be copied: it is recorded, or is to be. */
  get isWanted(): boolean {
    const { recorder, chosen, current } = this.#choice;
    return recorder.isWanted && (chosen === this || current === this);
  }

  /** FFmpeg's name of the codec of the streams that follow. */
  setCodec(codec: string): void {
    this.#codec = codec;
  }

  begin(init: Init): void {
    this.#init = init;
    if (this.#choice.current === this) this.#hand(init);
  }

  push(fragment: Fragment): void {
    const { chosen, current, recorder } = this.#choice;
    if (chosen === this && current !== this && fragment.key && this.#init) {
      this.#choice.current = this;
      this.#hand(this.#init);
    }
    if (this.#choice.current === this) recorder.push(fragment);
  }

  end(): void {
    this.#init = null;
    if (this.#choice.current !== this) return;
    this.#choice.current = null;
    this.#choice.recorder.end();
  }

  /** Nothing of this stream can be recorded; of no importance while the other one is. */
  interrupt(cause: GapCause): void {
    const { chosen, current, recorder } = this.#choice;
    if (current === this || (current === null && chosen === this)) recorder.interrupt(cause);
  }

  #hand(init: Init): void {
    const { recorder } = this.#choice;
    recorder.setCodec(this.#codec, this.#shows);
    recorder.begin(init);
  }
}
