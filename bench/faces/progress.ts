/** Reports progress on stderr: one line that is written over on a terminal, few lines elsewhere. */
export class Progress implements Disposable {
  readonly #title: string;
  readonly #steps: number;
  #done = 0;

  constructor(title: string, steps: number) {
    this.#title = title;
    this.#steps = steps;
  }

  step(): void {
    this.#done += 1;
    const isDue = this.#done % Math.max(1, Math.ceil(this.#steps / 4)) === 0;
    if (process.stderr.isTTY) process.stderr.write(`\r${this.#line()}`);
    else if (isDue || this.#done === this.#steps) console.error(this.#line());
  }

  [Symbol.dispose](): void {
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  #line(): string {
    return `${this.#title}: ${this.#done} of ${this.#steps}`;
  }
}
