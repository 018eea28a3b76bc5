/** Turns pixels clockwise, for cameras that hang on their side. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** `given` has `channels` bytes a pixel and rows without gaps. */
export function rotated(given: Pixels, degrees: 0 | 90 | 180 | 270, channels: number): Pixels {
  if (degrees === 0) return given;
  const { width, height, data } = given;
  const sideways = degrees !== 180;
  const out = Buffer.allocUnsafe(data.length);
  const outWidth = sideways ? height : width;
  // Where the first pixel goes, and how far the next one to the right and the next row are from it.
  const first = { 90: height - 1, 180: width * height - 1, 270: (width - 1) * outWidth }[degrees];
  const right = { 90: outWidth, 180: -1, 270: -outWidth }[degrees];
  const down = { 90: -1, 180: -width, 270: 1 }[degrees];
  for (let y = 0, from = 0; y < height; y++) {
    let to = (first + y * down) * channels;
    for (let x = 0; x < width; x++, to += right * channels) {
      for (let channel = 0; channel < channels; channel++) out[to + channel] = data[from++]!;
    }
  }
  return { width: outWidth, height: sideways ? width : height, data: out };
}
