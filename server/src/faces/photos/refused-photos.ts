/** One of several files may be no photo: it is reported with its reason and does not affect the others. Pure. */
import { photoRefusals, type PhotoRefusal } from '@nazar/contract/problem.ts';
import { Problem, RefusedFiles, type RefusedFile } from '#lib/problem.ts';

export interface RefusedPhoto extends RefusedFile {
  readonly why: Problem & { readonly code: PhotoRefusal };
}

const ofPhotos: ReadonlySet<string> = new Set(photoRefusals);

/** Whether this is about one file; what else is thrown (busy, unavailable, a bug) is about the whole request. */
export const isOfPhoto = (error: unknown): error is RefusedPhoto['why'] =>
  error instanceof Problem && ofPhotos.has(error.code);

/** What to throw when nothing is left to keep: a single file is answered as it is everywhere else. */
export function noneLeft(refused: readonly [RefusedPhoto, ...RefusedPhoto[]]): Error {
  return refused.length === 1 ? refused[0].why : new RefusedFiles('uploaded_images', refused);
}

export const isSome = (
  refused: readonly RefusedPhoto[],
): refused is readonly [RefusedPhoto, ...RefusedPhoto[]] => refused.length > 0;
