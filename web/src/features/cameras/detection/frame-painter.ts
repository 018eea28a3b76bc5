/** Shows pictures in an image one after another: the newest when the last is decoded, and none is kept. */
export class FramePainter implements Disposable {
  readonly #image: HTMLImageElement;
  readonly #end = new AbortController();
  /** Addresses of this page's memory: what is shown, and what is being decoded. */
  #shown: string | null = null;
  #decoding: string | null = null;
  #next: Blob | null = null;

  constructor(image: HTMLImageElement) {
    this.#image = image;
    const { signal } = this.#end;
    // What cannot be decoded gives way to the next, too.
    for (const event of ['load', 'error']) {
      image.addEventListener(event, () => this.#decoded(), { signal });
    }
  }

  show(frame: Blob): void {
    this.#next = frame;
    if (this.#decoding === null) this.#decode();
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#next = null;
    this.#image.removeAttribute('src');
    for (const url of [this.#shown, this.#decoding]) if (url !== null) URL.revokeObjectURL(url);
  }

  #decode(): void {
    if (this.#next === null) return;
    this.#decoding = URL.createObjectURL(this.#next);
    this.#next = null;
    this.#image.src = this.#decoding;
  }

  #decoded(): void {
    if (this.#shown !== null) URL.revokeObjectURL(this.#shown);
    this.#shown = this.#decoding;
    this.#decoding = null;
    this.#decode();
  }
}
