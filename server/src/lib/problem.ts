/**
 * The error for what a caller or the world did wrong. Anything else that is thrown
 * is a bug: it is logged with its stack and answered 500 without details.
 */
import { problems, type ProblemCode } from '@nazar/contract/problem.ts';

export type ProblemParams = Record<string, string | number>;

/** `code` picks the HTTP status and the sentence in the reader's language; `params` fill that sentence. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly params: ProblemParams;

  constructor(code: ProblemCode, params: ProblemParams = {}, cause?: unknown) {
    super(code, { cause });
    this.name = 'Problem';
    this.code = code;
    this.params = params;
  }

  get status(): number {
    return problems[this.code];
  }
}

/** Nothing is wrong with what was asked for: there was no room or no connection for it, and asking again may do. */
export const isOfNow = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 503;

/** A file that was sent, and why it cannot be used. */
export interface RefusedFile {
  /** Its place among those that were sent. */
  readonly index: number;
  /** '' where it has none. */
  readonly name: string;
  readonly why: Problem;
}

/** Of several files none can be used, each for its own reason. `field`: of the form they came in. */
export class RefusedFiles extends Error {
  override readonly name = 'RefusedFiles';
  readonly field: string;
  readonly files: readonly RefusedFile[];

  constructor(field: string, files: readonly RefusedFile[]) {
    super(`none of ${files.length} files can be used`);
    this.field = field;
    this.files = files;
  }
}
