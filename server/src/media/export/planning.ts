/** Plans files in their order while the next ones are read: what is encoded anew takes as long as some fifty take to read. */
import type { ExportPlan } from './export-plan.ts';
import type { RecordedFile } from './recorded-file.ts';

/** The tables of a file of 10 s take 0.1 MB. */
const mostWaiting = 100;

export class Planning implements AsyncDisposable {
  readonly #plan: Pick<ExportPlan, 'add'>;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #hasFailed = false;

  constructor(plan: Pick<ExportPlan, 'add'>) {
    this.#plan = plan;
  }

  /** Returns before the file is planned, unless many wait. Throws what planning an earlier one threw. */
  async add(file: RecordedFile): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#plan.add(file));
    this.#last.then(
      () => (this.#waiting -= 1),
      () => (this.#hasFailed = true),
    );
    if (this.#hasFailed || this.#waiting >= mostWaiting) await this.#last;
  }

  /** Throws what planning threw. */
  done(): Promise<void> {
    return this.#last;
  }

  /** Nothing reads or encodes any more after it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => undefined);
  }
}
