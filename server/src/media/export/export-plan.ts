/**
 * Plans an export: which bytes of recorded files make one ordinary MP4 file of a time range (`export-timeline.ts`), and
 * the tables that lead to them. Nothing that was shown outside the period is in the export: bytes are copied from the
 * first key frame in it, and what comes before that is encoded anew (`cut.ts`).
 */
import { closedBeginning } from './closed-beginning.ts';
import { cutOf, type Cut, type Span } from './cut.ts';
import { setsBeforeCopied } from './description.ts';
import { withBefore, writtenBy, type FileBytes } from './export-bytes.ts';
import { ExportFault } from './export-fault.ts';
import { ExportSpans } from './export-spans.ts';
import { ExportTimeline } from './export-timeline.ts';
import { placedSamples } from './placed-samples.ts';
import { recode, type Recoded } from './recode.ts';
import type { FilePicture, Period, RecordedFile } from './recorded-file.ts';
import type { SourceFiles } from './source-files.ts';
import type { EncodedSpan, Piece } from '../protocol/worker-messages.ts';

/** The group of pictures with which the last file ended. */
interface LastGroup {
  readonly stream: string;
  readonly pictures: readonly FilePicture[];
  readonly isCopied: boolean;
}

export class ExportPlan {
  readonly #period: Period;
  readonly #read: (picture: FilePicture) => Promise<Buffer>;
  readonly #spans: ExportSpans;
  #timeline: ExportTimeline;
  #lastGroup: LastGroup | null = null;

  /** `read`: for the pictures that are not copied as they are. */
  constructor(period: Period, read: SourceFiles['again']) {
    this.#period = period;
    this.#read = ({ file, sample }) => read(file, sample);
    this.#spans = new ExportSpans(period);
    this.#timeline = new ExportTimeline(period);
  }

  get bytes(): readonly FileBytes[] {
    return this.#timeline.bytes;
  }

  get dataBytes(): number {
    return this.#timeline.dataBytes;
  }

  get pictures(): number {
    return this.#timeline.pictures;
  }

  get seconds(): number {
    return this.#timeline.seconds;
  }

  get pieces(): readonly Piece[] {
    return this.#timeline.pieces;
  }

  /** What was encoded anew, what would have had to be and cannot, and what was copied with other headers. */
  get spans(): {
    readonly encoded: readonly EncodedSpan[];
    readonly leftOut: readonly EncodedSpan[];
    readonly rewritten: readonly EncodedSpan[];
  } {
    const { encoded, leftOut, rewritten } = this.#spans;
    return { encoded, leftOut, rewritten };
  }

  /** Adds the next file. Throws ExportFault. */
  async add(file: RecordedFile): Promise<void> {
    let cut = this.#cutOf(file);
    if (this.#hasEncodedAlone && cut.copied[0]?.resets === false) {
      this.#startOver();
      cut = this.#cutOf(file);
    }
    const ends = {
      head: await this.#recoded(file, cut.head, cut.copied[0]),
      tail: await this.#recoded(file, cut.tail),
    };
    this.#spans.add('leftOut', file, cut.lost);
    const closed = await this.#closedBeginning(file, cut.copied);
    const samples = placedSamples(file, cut, ends, this.#period);
    const isBehindEncoded = ends.head !== null || this.#hasEncodedAlone;
    const first = samples.findIndex(({ at }) => at === cut.copied[0]?.sample.offset);
    const sets = isBehindEncoded ? setsBeforeCopied(file.video.description) : null;
    if (sets && samples[first]) samples[first] = withBefore(samples[first], sets);
    const begin = samples.find(({ source: { kind } }) => kind === 'video');
    if (begin) this.#timeline.add(file, begin, samples.map(writtenBy(closed)));
    const isCopied = cut.copied.length > 0 && cut.copied.at(-1) === file.pictures.at(-1);
    this.#lastGroup = lastGroupOf(file, isCopied);
  }

  /** The bytes before those of the samples. Throws ExportFault when there are no samples. */
  head(): Buffer {
    const head = this.#timeline.head();
    if (head) return head;
    throw new ExportFault(this.#spans.leftOut.length > 0 ? 'unreadable' : 'nothing_recorded');
  }

  /** The copied pictures that get other headers, by where they lie in the file. */
  async #closedBeginning(
    file: RecordedFile,
    copied: readonly FilePicture[],
  ): Promise<ReadonlyMap<number, Buffer>> {
    const [key] = copied;
    if (!key?.key || key.resets || this.#isContinued(file)) return new Map();
    const closed = await closedBeginning(file, key, this.#read);
    const others = copied.filter(({ sample }) => closed.has(sample.offset));
    this.#spans.add('rewritten', file, others);
    return closed;
  }

  #cutOf(file: RecordedFile): Cut<FilePicture> {
    return cutOf(file.pictures, (one) => file.sideOf(one, this.#period), {
      before: this.#before(file)?.pictures ?? [],
      isContinued: this.#isContinued(file),
    });
  }

  /** The group of pictures that ends where that file begins. */
  #before({ source }: RecordedFile): LastGroup | null {
    const last = this.#lastGroup;
    return this.#timeline.isFollowedBy(source) && last?.stream === source.stream ? last : null;
  }

  /** Whether its pictures follow on some that were copied. */
  #isContinued(file: RecordedFile): boolean {
    return this.#before(file)?.isCopied === true;
  }

  /** `next`: what is copied behind it. Decoders that it does not reset show some of its group not at all. */
  async #recoded(
    file: RecordedFile,
    span: Span<FilePicture> | null,
    next?: FilePicture,
  ): Promise<Recoded | null> {
    if (!span) return null;
    const track = this.#timeline.trackOf(file.video);
    const recoded =
      next?.resets === false
        ? null
        : await recode(file.video.description, span, {
            read: this.#read,
            beside: track.setsBeside(file.video),
          });
    if (recoded) track.addSets(file.video, recoded.sets);
    this.#spans.add(recoded ? 'encoded' : 'leftOut', file, span.shown);
    return recoded;
  }

  /** Whether nothing was copied so far. */
  get #hasEncodedAlone(): boolean {
    return this.pieces.length > 0 && this.#lastGroup?.isCopied === false;
  }

  /** Leaves out what was encoded, which cannot stand before what comes. */
  #startOver(): void {
    this.#spans.leaveOutEncoded();
    this.#timeline = new ExportTimeline(this.#period);
    this.#lastGroup = null;
  }
}

/** The group of pictures that ends where the next file begins. */
function lastGroupOf({ source: { stream }, pictures }: RecordedFile, isCopied: boolean): LastGroup {
  const key = pictures.findLastIndex((one) => one.key);
  return { stream, isCopied, pictures: pictures.slice(Math.max(0, key)) };
}
