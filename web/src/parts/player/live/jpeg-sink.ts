/**
 * A live picture as JPEGs into a canvas: for browsers without a MediaSource, and where neither WebSockets nor
 * UDP get through. It is read by `fetch`, so that the status, the format and the age of each picture are known.
 */
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { address, fetchSigned } from '#api/call.ts';
import { readProblem } from '#api/problem.ts';
import type { KeyTest } from '../media-sink.ts';
import { MultipartParser, boundaryOf } from './multipart-parser.ts';

/** A browser opens six connections to one server by HTTP/1.1, and the page needs some for all the rest. */
const mostAtOnce = 2;
let open = 0;

/** Each of them stands alone: so far apart they are shown where key frames of other streams are. */
const keyFrameMs = 2000;

export const hasJpegPlace = (): boolean => open < mostAtOnce;

export interface JpegHooks {
  readonly onPicture: () => void;
  /** No more pictures will come; `cause` is the refusal of the server where there was one. */
  readonly onBroken: (cause: unknown) => void;
}

export class JpegSink implements Disposable {
  readonly #canvas: HTMLCanvasElement;
  readonly #hooks: JpegHooks;
  readonly #end = new AbortController();
  #isDrawing = false;
  /** The newest one that waits to be drawn. */
  #next: Uint8Array<ArrayBuffer> | null = null;
  receivedBytes = 0;
  /** When some of it came last, in milliseconds of `Date.now()`. */
  mediaMs: number | null = null;
  pictures = 0;
  dropped = 0;
  /** How many came that are to be shown. */
  came = 0;
  #isSparse = false;
  #takenMs = -Infinity;

  constructor(cameraId: string, canvas: HTMLCanvasElement, hooks: JpegHooks) {
    this.#canvas = canvas;
    this.#hooks = hooks;
    open += 1;
    this.#read(cameraId).then(
      () => this.#broke(null),
      (cause: unknown) => this.#broke(cause),
    );
  }

  [Symbol.dispose](): void {
    if (this.#end.signal.aborted) return;
    open -= 1;
    this.#end.abort();
  }

  /** About as few are shown as a stream has key frames. */
  showKeysOnly(isKey: KeyTest | null): void {
    this.#isSparse = isKey !== null;
  }

  #broke(cause: unknown): void {
    if (!this.#end.signal.aborted) this.#hooks.onBroken(cause);
  }

  async #read(cameraId: string): Promise<void> {
    const { path } = liveViewRoutes.mjpeg;
    const url = address(path, { params: { id: cameraId } });
    const response = await fetchSigned(url, { signal: this.#end.signal }, path);
    if (!response.ok) throw await readProblem(response);
    const boundary = boundaryOf(response.headers.get('Content-Type'));
    if (boundary === null) throw new Error('the answer is no stream of pictures');
    const parser = new MultipartParser(boundary);
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || this.#end.signal.aborted) return;
      this.receivedBytes += value.byteLength;
      this.mediaMs = Date.now();
      for (const { bytes } of parser.push(value)) this.#offer(bytes);
    }
  }

  #offer(jpeg: Uint8Array<ArrayBuffer>): void {
    const nowMs = Date.now();
    if (this.#isSparse && nowMs - this.#takenMs < keyFrameMs) return;
    this.#takenMs = nowMs;
    this.came += 1;
    if (this.#next !== null) this.dropped += 1;
    this.#next = jpeg;
    if (!this.#isDrawing) void this.#draw();
  }

  async #draw(): Promise<void> {
    this.#isDrawing = true;
    while (this.#next !== null && !this.#end.signal.aborted) {
      const jpeg = this.#next;
      this.#next = null;
      try {
        await this.#show(jpeg);
      } catch (cause) {
        this.#broke(cause);
      }
    }
    this.#isDrawing = false;
  }

  async #show(jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
    const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
    if (!this.#end.signal.aborted) {
      const { width, height } = picture;
      if (this.#canvas.width !== width) this.#canvas.width = width;
      if (this.#canvas.height !== height) this.#canvas.height = height;
      this.#canvas.getContext('2d')?.drawImage(picture, 0, 0);
      this.pictures += 1;
      this.#hooks.onPicture();
    }
    picture.close();
  }
}
