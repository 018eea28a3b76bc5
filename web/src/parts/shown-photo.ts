/** What a page shows of a chosen file: the file itself, or what the server made of one that the browser cannot show. */
import type { CheckedPhoto } from '@nazar/contract/recognition.ts';

/** By its name and type alone: no browser but Safari shows HEIC. What else cannot be shown, the browser says. */
export const isHeic = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

export interface ShownPhoto {
  readonly photo: Blob;
  readonly checked: CheckedPhoto;
}

/** The picture of a check, which stands upright; null where it has none. */
export function previewOf(checked: CheckedPhoto): ShownPhoto | null {
  if (checked.preview === null) return null;
  const bytes = Uint8Array.from(atob(checked.preview), (char) => char.charCodeAt(0));
  const photo = new Blob([bytes], { type: 'image/jpeg' });
  return { photo, checked: { ...checked, turned: 0 } };
}
