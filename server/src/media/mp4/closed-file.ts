/**
 * Closes the open groups of pictures of a recorded file on its way to a player: bytes are written over those of the
 * file, whose length and places stay the same, so that every range of a playlist stays true.
 */
import type { ReadableFile } from '#lib/folder/folder-files.ts';
import { ClosedGroup264 } from '../codec/closed-group264.ts';
import { parameterSetsOfExtradata, unitsOf } from '../codec/h264.ts';
import { h264ConfigurationOf } from './boxes.ts';
import { stretches, withoutPicture } from './leading-pictures.ts';
import { placeOfSample, sampleOf, samplePatches, type Patch } from './sample-in-place.ts';
import { pictureOf, type PictureTimes } from './picture-times.ts';

interface Fragment extends PictureTimes {
  readonly at: number;
  readonly bytes: number;
  /** Its first bytes, `moof` among them. */
  readonly head: Buffer;
  readonly moof: Buffer;
}

/** A `moof` and the first bytes of its picture. */
const headBytes = 1_024;
/** A key picture of 8K is smaller. */
const maxFragmentBytes = 64 * 1024 * 1024;
/** An initialisation segment and the box that says what the file is are smaller. */
const maxFileHeadBytes = 1024 * 1024;

/**
 * Returns what closes the groups of a file; nothing where its pictures come as they are shown. `from`: its first
 * fragment.
 */
export async function closingPatches(
  file: ReadableFile,
  from: number,
  until: number,
): Promise<Patch[]> {
  const patches: Patch[] = [];
  let group: Group | null = null;
  let rewriter: ClosedGroup264 | null = null;
  for await (const fragment of fragmentsOf(file, from, until)) {
    if (!rewriter && fragment.shownTicks === fragment.decodeTicks) return [];
    rewriter ??= new ClosedGroup264(await setsOf(file, from));
    if (fragment.key) {
      patches.push(...(group?.patches() ?? []));
      group = new Group(
        fragment,
        rewriter,
        resets(fragment) ? null : await wholeOf(file, fragment),
      );
    } else if (group) group.add(fragment, group.isWritten ? await wholeOf(file, fragment) : null);
  }
  return [...patches, ...(group?.patches() ?? [])];
}

/** A key picture and those up to the next one. */
class Group {
  readonly #key: Fragment;
  readonly #rewriter: ClosedGroup264;
  readonly #leading: Fragment[] = [];
  /** The pictures as they are in the closed group; null where that can't be. */
  #written: Patch[] | null;
  /** When the first picture after the leading ones is decoded. */
  #untilTicks: number | null = null;

  /** `whole`: the fragment of the key picture; null: it resets a decoder already, or can't be read. */
  constructor(key: Fragment, rewriter: ClosedGroup264, whole: Buffer | null) {
    this.#key = key;
    this.#rewriter = rewriter;
    this.#written = whole && writtenOver(key, whole, (sample) => rewriter.begin(sample));
  }

  get isWritten(): boolean {
    return this.#written !== null;
  }

  add(fragment: Fragment, whole: Buffer | null): void {
    const isLeading = this.#untilTicks === null && fragment.shownTicks < this.#key.shownTicks;
    if (isLeading) this.#leading.push(fragment);
    else this.#untilTicks ??= fragment.decodeTicks;
    if (!this.#written) return;
    const rewriter = this.#rewriter;
    const patches = isLeading
      ? this.#leaveOut(whole)
      : whole && writtenOver(fragment, whole, (sample) => rewriter.next(sample));
    this.#written = patches && [...this.#written, ...patches];
  }

  patches(): Patch[] {
    return [...(this.#written ?? []), ...this.#withoutLeading()];
  }

  #leaveOut(whole: Buffer | null): Patch[] | null {
    const sample = whole && sampleOf(whole);
    return sample && this.#rewriter.leaveOut(sample) ? [] : null;
  }

  #withoutLeading(): Patch[] {
    const last = this.#leading.at(-1);
    if (!last) return [];
    const shownTicks = Math.min(...this.#leading.map((one) => one.shownTicks));
    const until = this.#untilTicks ?? last.decodeTicks + last.durationTicks;
    const longer = stretches(this.#key.moof, shownTicks, until);
    return [...moved(longer, this.#key.at), ...this.#leading.flatMap(withoutPicture)];
  }
}

const moved = (patches: readonly Patch[], by: number): Patch[] =>
  patches.map(({ at, bytes }) => ({ at: by + at, bytes }));

/** What to write over the file so that the fragment holds the picture that `write` makes of its own; null where it can't. */
function writtenOver(
  { at }: Fragment,
  whole: Buffer,
  write: (sample: Buffer) => Buffer | null,
): Patch[] | null {
  const sample = sampleOf(whole);
  const written = sample && write(sample);
  const patches = written && samplePatches(whole, written);
  return patches && moved(patches, at);
}

/** The parameter sets in the description of the file. */
async function setsOf(file: ReadableFile, bytes: number): Promise<Buffer[]> {
  const head = await bytesAt(file, 0, Math.min(bytes, maxFileHeadBytes));
  const sets = parameterSetsOfExtradata(h264ConfigurationOf(head));
  return sets ? unitsOf(sets, false) : [];
}

const slice = 1;
const idr = 5;

/** Whether a key picture resets a decoder, by what its first bytes say. */
function resets({ head, moof }: Fragment): boolean {
  const at = placeOfSample(moof)?.at ?? head.length;
  for (let unit = at; unit + 5 <= head.length; unit += 4 + head.readUInt32BE(unit)) {
    const type = head[unit + 4]! & 31;
    if (type >= slice && type <= idr) return type === idr;
  }
  return false;
}

/** Null where the file ends before, or says something that can't be. */
async function wholeOf(file: ReadableFile, { at, bytes }: Fragment): Promise<Buffer | null> {
  if (bytes > maxFragmentBytes) return null;
  const whole = await bytesAt(file, at, bytes);
  return whole.length === bytes ? whole : null;
}

async function bytesAt(file: ReadableFile, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}

async function* fragmentsOf(
  file: ReadableFile,
  from: number,
  until: number,
): AsyncGenerator<Fragment> {
  for (let at = from; at + 16 <= until;) {
    let head = await bytesAt(file, at, headBytes);
    if (head.length < 8) return;
    const size = head.readUInt32BE(0);
    if (size < 8 || at + size > until) return;
    if (head.toString('latin1', 4, 8) !== 'moof') {
      at += size;
      continue;
    }
    if (head.length < size + 8) head = await bytesAt(file, at, size + 8);
    if (head.length < size + 8) return;
    const moof = head.subarray(0, size);
    const picture = pictureOf(moof);
    const bytes = size + head.readUInt32BE(size);
    if (picture) yield { at, bytes, head, moof, ...picture };
    at += bytes;
  }
}
