/** Photos that wait to be sent. */
import { maxFileBytes } from '@nazar/contract/uploads.ts';

export interface ChosenFile {
  readonly file: File;
  /** The face on it that was chosen, by its place in the check of the photo; null: none was chosen. */
  readonly faceIndex: number | null;
}

export const asChosen = (file: File): ChosenFile => ({ file, faceIndex: null });

/** Adds a file to what is sent: of one that is too large only as much as shows the server that it is. */
export function appendFile(form: FormData, field: string, file: File): void {
  if (file.size <= maxFileBytes) form.append(field, file);
  else form.append(field, file.slice(0, maxFileBytes + 1), file.name);
}

/** Adds photos, and what was chosen on them in their order, to what is sent. */
export function appendPhotos(form: FormData, photos: readonly ChosenFile[]): FormData {
  for (const { file } of photos) appendFile(form, 'uploaded_images', file);
  if (photos.some(({ faceIndex }) => faceIndex !== null)) {
    form.append('face_index', photos.map(({ faceIndex }) => faceIndex ?? '').join(','));
  }
  return form;
}
