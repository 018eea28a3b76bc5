/** Photos that wait to be sent. */

export interface ChosenFile {
  readonly file: File;
  /** The face on it that was chosen, by its place in the check of the photo; null: nobody chose one. */
  readonly faceIndex: number | null;
}

export const asChosen = (file: File): ChosenFile => ({ file, faceIndex: null });

/** Adds photos, and what was chosen on them in their order, to what is sent. */
export function appendPhotos(form: FormData, photos: readonly ChosenFile[]): FormData {
  for (const { file } of photos) form.append('uploaded_images', file);
  if (photos.some(({ faceIndex }) => faceIndex !== null)) {
    form.append('face_index', photos.map(({ faceIndex }) => faceIndex ?? '').join(','));
  }
  return form;
}
