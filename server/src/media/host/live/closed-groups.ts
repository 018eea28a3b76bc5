/**
 * Closes open groups of pictures on their way to viewers, each of whom may begin or seek anywhere. Only a key picture
 * after which leading pictures may come waits here, until the next picture shows whether they do: with most cameras
 * nothing ever waits.
 */
import { timeOf } from '../../mp4/boxes.ts';
import { stretched } from '../../mp4/leading-pictures.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { Init } from '../../mp4/remuxer.ts';
import type { Fragment } from './live-stream.ts';
import type { StreamSink } from './passthrough.ts';

export class ClosedGroups implements StreamSink {
  readonly #sink: StreamSink;
  #key: Fragment | null = null;
  /** When the first of its leading pictures would be shown. */
  #leadsFrom = Infinity;

  constructor(sink: StreamSink) {
    this.#sink = sink;
  }

  begin(init: Init): void {
    this.#key = null;
    this.#sink.begin(init);
  }

  push(fragment: Fragment): void {
    if (this.#key && !fragment.key && fragment.at < this.#key.at) {
      this.#leadsFrom = Math.min(this.#leadsFrom, fragment.at);
      return;
    }
    if (this.#key) this.#sink.push(this.#closed(this.#key, fragment));
    this.#key = null;
    if (mayBeLed(fragment)) {
      this.#key = fragment;
      this.#leadsFrom = Infinity;
    } else this.#sink.push(fragment);
  }

  end(): void {
    this.#key = null;
    this.#sink.end();
  }

  #closed(key: Fragment, next: Fragment): Fragment {
    const until = timeOf(next.body)?.decode;
    if (this.#leadsFrom === Infinity || until === undefined) return key;
    const shownTicks = Math.round(this.#leadsFrom * ticksPerSecond);
    return { ...key, at: this.#leadsFrom, body: stretched(key.body, shownTicks, until) };
  }
}

const mayBeLed = ({ isOpen, body }: Fragment): boolean =>
  isOpen === true && (timeOf(body)?.offset ?? 0) > 0;
