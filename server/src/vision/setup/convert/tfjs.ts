/**
 * Reads weights as TensorFlow.js stores them: one binary file of tensors one after another, and a manifest that names
 * them and says how they were quantised. It also turns TensorFlow's layout of convolution kernels (height, width, in,
 * out) into ONNX's (out, in, height, width).
 */
import * as z from 'zod/mini';
import type { Tensor } from './onnx.ts';

export const WeightsManifest = z.array(
  z.object({
    paths: z.array(z.string()),
    weights: z.array(
      z.object({
        name: z.string(),
        shape: z.array(z.number()),
        dtype: z.enum(['float32', 'int32']),
        quantization: z.optional(
          z.discriminatedUnion('dtype', [
            z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }),
            z.object({ dtype: z.literal('float16') }),
          ]),
        ),
      }),
    ),
  }),
);
export type WeightsManifest = z.infer<typeof WeightsManifest>;
type Entry = WeightsManifest[number]['weights'][number];

/** Tensors by name, in TensorFlow's layout. */
export class Weights {
  readonly #tensors = new Map<string, Tensor>();

  /** `files` holds the contents of the manifest's paths, joined in their order. */
  constructor(manifest: WeightsManifest, files: Buffer) {
    let offset = 0;
    for (const entry of manifest.flatMap((group) => group.weights)) {
      const count = elements(entry.shape);
      const bytes = count * bytesEach(entry);
      this.#tensors.set(entry.name, {
        data: decode(entry, files.subarray(offset, offset + bytes)),
        shape: entry.shape,
      });
      offset += bytes;
    }
    if (offset !== files.length) throw new Error(`weights end at ${offset} of ${files.length}`);
  }

  get(name: string): Tensor {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`no weights called ${name}`);
    return tensor;
  }
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function bytesEach({ quantization }: Entry): number {
  if (!quantization) return 4;
  return quantization.dtype === 'uint8' ? 1 : 2;
}

/** int32 tensors hold only shapes and paddings here, which float32 holds exactly. */
function decode({ dtype, quantization, shape }: Entry, bytes: Buffer): Float32Array {
  const values = new Float32Array(elements(shape));
  for (let i = 0; i < values.length; i++) {
    if (quantization?.dtype === 'uint8') {
      values[i] = bytes.readUInt8(i) * quantization.scale + quantization.min;
    } else if (quantization) values[i] = half(bytes.readUInt16LE(i * 2));
    else values[i] = dtype === 'int32' ? bytes.readInt32LE(i * 4) : bytes.readFloatLE(i * 4);
  }
  return values;
}

/** IEEE 754 binary16; infinities do not occur among weights. */
function half(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 0x400;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/** [h, w, in, out] -> [out, in, h, w]. */
export function convolutionKernel({ data, shape }: Tensor): Tensor {
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape;
  const kernel = new Float32Array(data.length);
  let from = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let i = 0; i < inputs; i++) {
        for (let o = 0; o < outputs; o++) {
          kernel[((o * inputs + i) * height + y) * width + x] = data[from++]!;
        }
      }
    }
  }
  return { data: kernel, shape: [outputs, inputs, height, width] };
}

/** [h, w, channels, 1] -> [channels, 1, h, w]; to be used with `group` = channels. */
export function depthwiseKernel({ data, shape }: Tensor): Tensor {
  const [height = 0, width = 0, channels = 0, multiplier = 0] = shape;
  if (multiplier !== 1) throw new Error(`channel multiplier ${multiplier} is not written`);
  return convolutionKernel({ data, shape: [height, width, 1, channels] });
}
