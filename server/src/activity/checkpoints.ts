/**
 * Where the chain begins once its oldest entries were removed for their age: a signed line that says how the
 * last removed entry ended, so that the rest can still be verified, and without the key the beginning cannot be moved.
 */
import type { SecretKey } from '#lib/secrets.ts';
import { isDate, origin, type Link } from './chain.ts';

export interface Checkpoint extends Link {
  readonly made_at: Date;
  readonly signature: Buffer;
}

export function checkpoint(key: SecretKey, { sequence, mac }: Link, made_at: Date): Checkpoint {
  return { sequence, mac, made_at, signature: key.sign(words(sequence, mac, made_at)) };
}

/** The last checkpoint, or the origin of the chain if there is none; and the first one that we did not sign. */
export function beginning(
  key: SecretKey,
  checkpoints: readonly Checkpoint[],
): { readonly start: Link; readonly forged: Checkpoint | null } {
  const forged = checkpoints.find(
    ({ sequence, mac, made_at, signature }) =>
      !isDate(made_at) || !key.verify(words(sequence, mac, made_at), signature),
  );
  return { start: checkpoints.at(-1) ?? origin, forged: forged ?? null };
}

const words = (sequence: number, mac: Buffer, madeAt: Date): string =>
  `checkpoint ${sequence} ${mac.toString('hex')} ${madeAt.toISOString()}`;
