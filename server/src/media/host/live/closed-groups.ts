/**
 * Closes open groups of pictures on their way to viewers, each of whom may begin or seek anywhere. Only a key picture
 * after which leading pictures may come waits here, until the next picture shows whether they do: with most cameras
 * nothing ever waits.
 */
import { ClosedGroup264 } from '../../codec/closed-group264.ts';
import { parameterSetsOfExtradata, unitsOf } from '../../codec/h264.ts';
import { h264ConfigurationOf, timeOf } from '../../mp4/boxes.ts';
import { stretched } from '../../mp4/leading-pictures.ts';
import { sampleOf, withSample } from '../../mp4/sample-in-place.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { Init } from '../../mp4/remuxer.ts';
import type { Fragment } from './live-stream.ts';
import type { StreamSink } from './passthrough.ts';

/** After so many groups in a row with a picture that can't be read, groups are passed on as they come. */
const mostLost = 3;

export class ClosedGroups implements StreamSink {
  readonly #sink: StreamSink;
  #rewriter: ClosedGroup264 | null = null;
  #key: Fragment | null = null;
  /** When the first of its leading pictures would be shown. */
  #leadsFrom = Infinity;
  /** What becomes of the pictures of this group: passed on as they come, written anew, or left out. */
  #group: 'as it comes' | 'closed' | 'lost' = 'as it comes';
  #lost = 0;

  constructor(sink: StreamSink) {
    this.#sink = sink;
  }

  begin(init: Init): void {
    this.#key = null;
    this.#group = 'as it comes';
    this.#lost = 0;
    const sets = parameterSetsOfExtradata(h264ConfigurationOf(init.body));
    this.#rewriter = sets && new ClosedGroup264(unitsOf(sets, false));
    this.#sink.begin(init);
  }

  push(fragment: Fragment): void {
    if (this.#key && !fragment.key && fragment.at < this.#key.at) {
      this.#leadsFrom = Math.min(this.#leadsFrom, fragment.at);
      if (this.#group === 'closed' && !this.#leaveOut(fragment)) this.#lose();
      return;
    }
    if (this.#key) this.#sink.push(this.#closed(this.#key, fragment));
    this.#key = null;
    if (fragment.key) this.#beginGroup(fragment);
    else this.#pushNext(fragment);
  }

  end(): void {
    this.#key = null;
    this.#sink.end();
  }

  #beginGroup(key: Fragment): void {
    if (this.#group === 'closed') this.#lost = 0;
    this.#group = 'as it comes';
    if (!mayBeLed(key)) {
      this.#sink.push(key);
      return;
    }
    const body = this.#lost < mostLost && this.#written(key, (sample, by) => by.begin(sample));
    if (body) this.#group = 'closed';
    this.#key = body ? { ...key, body } : key;
    this.#leadsFrom = Infinity;
  }

  #pushNext(fragment: Fragment): void {
    if (this.#group === 'as it comes') this.#sink.push(fragment);
    if (this.#group !== 'closed') return;
    const body = this.#written(fragment, (sample, by) => by.next(sample));
    if (body) this.#sink.push({ ...fragment, body });
    else this.#lose();
  }

  #lose(): void {
    this.#group = 'lost';
    this.#lost += 1;
  }

  #leaveOut({ body }: Fragment): boolean {
    const sample = sampleOf(body);
    return sample !== null && this.#rewriter?.leaveOut(sample) === true;
  }

  #written(
    { body }: Fragment,
    write: (sample: Buffer, by: ClosedGroup264) => Buffer | null,
  ): Buffer | null {
    const sample = this.#rewriter && sampleOf(body);
    const written = this.#rewriter && sample && write(sample, this.#rewriter);
    return written && withSample(body, written);
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
