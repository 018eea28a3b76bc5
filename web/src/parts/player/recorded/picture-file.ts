/** The picture that is shown, as a file of the reader. */
import { saveBlob } from '#lib/save-file.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** What no file system takes in a name, and control characters. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const forbidden = /[\\/:*?"<>|\u0000-\u001f\u007f]+/g;

/** File systems take 255 bytes, and many letters need two. */
const maxNameLength = 100;

/** The camera's name with its own letters, and the moment by the reader's clock. */
export function pictureName(cameraName: string, momentMs: number): string {
  const at = new Date(momentMs);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join('-');
  const name = cameraName.replaceAll(forbidden, ' ').replaceAll(/\s+/g, ' ').trim();
  // A file whose name begins with a point is a hidden one.
  const visible = name.replace(/^[. ]+/, '');
  const letters = visible
    .slice(0, maxNameLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return `${letters === '' ? '' : `${letters} `}${date} ${time}.jpg`;
}

/** A live picture of JPEGs is drawn already. */
function drawn(picture: HTMLVideoElement | HTMLCanvasElement): HTMLCanvasElement {
  if (picture instanceof HTMLCanvasElement) return picture;
  const canvas = document.createElement('canvas');
  canvas.width = picture.videoWidth;
  canvas.height = picture.videoHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas;
}

/** Throws when there is no picture. */
export async function savePicture(
  picture: HTMLVideoElement | HTMLCanvasElement,
  name: string,
): Promise<void> {
  const canvas = drawn(picture);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', 0.95),
  );
  if (blob === null) throw new Error('there is no picture');
  saveBlob(blob, name);
}
