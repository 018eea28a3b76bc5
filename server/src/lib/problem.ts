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
