/**
 * As much of libheif's C API (heif.h, heif_tiling.h) as reading a still picture tile by tile takes, in a WebAssembly
 * instance: it reaches no memory but its own. Its JavaScript API reads whole pictures only, which need twice the memory.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Size } from '#lib/geometry.ts';

/** Addresses within the instance. */
type Pointer = number;

/** What is used of libheif-js; structures that are returned are written to the first argument. */
interface Module {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): Pointer;
  _heif_context_alloc(): Pointer;
  _heif_context_read_from_memory_without_copy(
    error: Pointer,
    context: Pointer,
    bytes: Pointer,
    length: number,
    options: Pointer,
  ): void;
  _heif_context_get_primary_image_handle(error: Pointer, context: Pointer, to: Pointer): void;
  _heif_image_handle_get_image_tiling(
    error: Pointer,
    handle: Pointer,
    isTransformed: number,
    to: Pointer,
  ): void;
  _heif_image_handle_decode_image_tile(
    error: Pointer,
    handle: Pointer,
    to: Pointer,
    colours: number,
    chroma: number,
    options: Pointer,
    column: number,
    row: number,
  ): void;
  _heif_decode_image(
    error: Pointer,
    handle: Pointer,
    to: Pointer,
    colours: number,
    chroma: number,
    options: Pointer,
  ): void;
  _heif_image_get_width(image: Pointer, channel: number): number;
  _heif_image_get_height(image: Pointer, channel: number): number;
  _heif_image_get_plane_readonly(image: Pointer, channel: number, stride: Pointer): Pointer;
  _heif_image_release(image: Pointer): void;
}

/** heif_colorspace_RGB, heif_chroma_interleaved_RGB, heif_channel_interleaved. */
const [rgb, interleaved, channel] = [1, 10, 10];
/** heif_image_tiling: a version and eleven numbers more, of which nine are for pictures of further dimensions. */
const tilingBytes = 4 * 24;

/** The tiles of the picture as it is shown: turned and cut as its file says. */
export interface Tiling extends Size {
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** How much of the first column and row is cut off. */
  readonly left: number;
  readonly top: number;
}

export interface Tile extends Size {
  /** RGB, in the memory of the instance: gone with the next tile. */
  readonly pixels: Buffer;
  /** From one row to the next. */
  readonly strideBytes: number;
}

const require = createRequire(import.meta.url);
const script = 'libheif-js/libheif-wasm/libheif.js';

const silent = (): void => undefined;

export class HeifPicture {
  readonly #lib: Module;
  readonly #handle: Pointer;
  /** For what functions return: an error (three words), and whatever else is asked for. */
  readonly #error: Pointer;
  readonly #result: Pointer;

  private constructor(lib: Module, bytes: Buffer) {
    this.#lib = lib;
    this.#error = lib._malloc(12);
    this.#result = lib._malloc(tilingBytes);
    const file = lib._malloc(bytes.length);
    lib.HEAPU8.set(bytes, file);
    const context = lib._heif_context_alloc();
    const { length } = bytes;
    this.#call((error) =>
      lib._heif_context_read_from_memory_without_copy(error, context, file, length, 0),
    );
    this.#call((error) => lib._heif_context_get_primary_image_handle(error, context, this.#result));
    this.#handle = this.#word(this.#result);
  }

  /** Throws when the file cannot be read. */
  static async open(bytes: Buffer): Promise<HeifPicture> {
    const start = require(script) as (options: object) => Module;
    const wasmBinary = await readFile(require.resolve(script).replace(/\.js$/, '.wasm'));
    return new HeifPicture(start({ wasmBinary, print: silent, printErr: silent }), bytes);
  }

  /** A picture that is not divided is one tile. */
  tiling(): Tiling {
    this.#call((error) =>
      this.#lib._heif_image_handle_get_image_tiling(error, this.#handle, 1, this.#result),
    );
    const [columns, rows, tileWidth, tileHeight, width, height, top, left] = Array.from(
      { length: 8 },
      (_, i) => this.#word(this.#result + 4 * (i + 1)),
    ) as [number, number, number, number, number, number, number, number];
    // Where libheif 1.23.2 cuts something off, it says how much of the tile is left.
    return {
      columns,
      rows,
      tileWidth,
      tileHeight,
      width,
      height,
      left: left === 0 ? 0 : columns * tileWidth - width,
      top: top === 0 ? 0 : rows * tileHeight - height,
    };
  }

  /** The picture of one tile: turned, it is not read as such. */
  readWhole<R>(take: (tile: Tile) => R): R {
    const lib = this.#lib;
    return this.#read(take, (error) =>
      lib._heif_decode_image(error, this.#handle, this.#result, rgb, interleaved, 0),
    );
  }

  /** Throws when it cannot be decoded. */
  readTile<R>(column: number, row: number, take: (tile: Tile) => R): R {
    const [lib, handle, result] = [this.#lib, this.#handle, this.#result];
    return this.#read(take, (error) =>
      lib._heif_image_handle_decode_image_tile(
        error,
        handle,
        result,
        rgb,
        interleaved,
        0,
        column,
        row,
      ),
    );
  }

  #read<R>(take: (tile: Tile) => R, decode: (error: Pointer) => void): R {
    const lib = this.#lib;
    this.#call(decode);
    const image = this.#word(this.#result);
    try {
      const width = lib._heif_image_get_width(image, channel);
      const height = lib._heif_image_get_height(image, channel);
      const plane = lib._heif_image_get_plane_readonly(image, channel, this.#result);
      const strideBytes = this.#word(this.#result);
      const { buffer } = lib.HEAPU8;
      const pixels = Buffer.from(buffer as ArrayBuffer, plane, strideBytes * height);
      return take({ width, height, pixels, strideBytes });
    } finally {
      lib._heif_image_release(image);
    }
  }

  #call(work: (error: Pointer) => void): void {
    work(this.#error);
    const code = this.#word(this.#error);
    if (code !== 0) throw new Error(`libheif: ${code}.${this.#word(this.#error + 4)}`);
  }

  #word(at: Pointer): number {
    return this.#lib.HEAPU32[at >>> 2]!;
  }
}
