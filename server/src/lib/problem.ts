/**
 * The error for faults of a caller or of the outside world. Any other error
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

/** The request is valid: there was no room or no connection for it now, and a later try may succeed. */
export const isOfNow = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 503;

/** A file that was sent, and why it cannot be used. */
export interface RefusedFile {
  /** Its place among those that were sent. */
  readonly index: number;
  /** '' if it has no name. */
  readonly name: string;
  readonly why: Problem;
}

/** None of several files can be used, each for its own reason. `field`: the field of the form that they came in. */
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
