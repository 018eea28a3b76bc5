/**
 * Why the program does not start, in one sentence for its user: a taken port, a folder that
 * cannot be written, a database that is too old. It is no `Problem`, because no request is being answered.
 */

/** EX_CONFIG of sysexits.h. The launcher does not start again a server that ended with it. */
export const refusalExitCode = 78;

/** `message` is shown as it is, without a stack; it never holds a password. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
