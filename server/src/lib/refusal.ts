/**
 * Why the program does not start, in one sentence for its user: a taken port, a folder that
 * cannot be written, a database that is too old. It is not a `Problem`, because there is no request to answer.
 */

/** EX_CONFIG of sysexits.h. The launcher does not restart a server that ended with it. */
export const refusalExitCode = 78;

/** `message` is shown unchanged, without a stack; it never holds a password. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
