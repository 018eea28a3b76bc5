/**
 * Leading pictures of an open group of pictures in H.264: they come after the key picture, are shown before it and refer
 * to the group before. A browser that begins or seeks there cannot decode them and gives up (Chromium:
 * PIPELINE_ERROR_DECODE). Players therefore get such groups closed (`codec/closed-group264.ts`): without their leading
 * pictures, the key picture shown in their place, so that no hole is left. Files keep everything.
 */
import { u32 } from './boxes.ts';
import { patchedCopy, placeOfSample, type Patch } from './sample-in-place.ts';
import { pictureOf } from './picture-times.ts';

/** In `trun` after version, flags, number of samples and data offset. */
const durationAt = 12;
const offsetAt = 24;
const skipped = Buffer.from('free');
/** What fits the fields of `trun`. */
const maxTicks = 2 ** 31 - 1;

/**
 * Returns the fragment of a key picture that is shown from `shownTicks` on and lasts until `untilTicks` is decoded;
 * the same fragment when it is none of ours.
 */
export function stretched(fragment: Buffer, shownTicks: number, untilTicks: number): Buffer {
  return patchedCopy(fragment, stretches(fragment, shownTicks, untilTicks));
}

export function stretches(fragment: Buffer, shownTicks: number, untilTicks: number): Patch[] {
  const place = placeOfSample(fragment);
  const picture = pictureOf(fragment);
  if (!place || !picture) return [];
  const { decodeTicks } = picture;
  const lasts = untilTicks - decodeTicks;
  // Times of a damaged file may be anything.
  if (lasts < 0 || lasts > maxTicks || shownTicks - decodeTicks > maxTicks) return [];
  return [
    { at: place.trunAt + durationAt, bytes: u32(lasts) },
    { at: place.trunAt + offsetAt, bytes: u32(Math.max(0, shownTicks - decodeTicks)) },
  ];
}

/** What leaves the picture out of the fragment that is at that place of a file; sound in it stays. */
export function withoutPicture({ at, moof }: { at: number; moof: Buffer }): Patch[] {
  const trafs: number[] = [];
  for (let box = 8; box + 8 <= moof.length; box += Math.max(8, moof.readUInt32BE(box))) {
    if (moof.toString('latin1', box + 4, box + 8) === 'traf') trafs.push(box);
  }
  const [picture] = trafs;
  // A fragment without any track is none (ISO/IEC 14496-12, 8.8.4): then all of it is skipped.
  if (trafs.length > 1 && picture !== undefined) return [{ at: at + picture + 4, bytes: skipped }];
  return [
    { at: at + 4, bytes: skipped },
    { at: at + moof.length + 4, bytes: skipped },
  ];
}
