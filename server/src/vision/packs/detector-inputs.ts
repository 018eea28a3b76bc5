/** The inputs of a detector whose network is made once for each size, out of the hashes of its files. */
import type { Pack } from './pack.ts';

type Size = `${number}x${number}`;

/** `hashes`: SHA-256 of each network by its width and height. */
export function detectorInputs(hashes: Readonly<Record<Size, string>>): {
  readonly inputs: Pack['detector']['inputs'];
  readonly files: Pack['files'];
} {
  const sizes = Object.entries(hashes).map(([size, sha256]) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return { file: `detector-${size}`, sha256, width, height };
  });
  return {
    inputs: sizes.map(({ file, width, height }) => ({ file, width, height })),
    files: Object.fromEntries(
      sizes.map(({ file, sha256 }) => [file, { path: `${file}.onnx`, sha256 }]),
    ),
  };
}
