/** How a scripted camera behaves. May be changed while it runs; new connections and pictures follow. */
export type Behaviour =
  | { readonly kind: 'ok' }
  /** Closes the connection after that many pictures. */
  | { readonly kind: 'drop'; readonly after: number }
  /** Goes silent after that many pictures and keeps the connection open; 0 answers nothing at all. */
  | { readonly kind: 'hang'; readonly after: number }
  /** From then on one byte at a time, never a whole packet. */
  | { readonly kind: 'drip'; readonly after: number }
  /** From then on random bytes. */
  | { readonly kind: 'rubbish'; readonly after: number }
  /** From now on no pictures, but sound. */
  | { readonly kind: 'freeze' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Not listening: the port is closed. */
  | { readonly kind: 'closed' };

export interface Credentials {
  readonly scheme: 'basic' | 'digest';
  readonly username: string;
  readonly password: string;
}

/** A byte of the drip each. Slower than any watchdog that counts bytes, faster than one that waits for silence. */
export const dripEveryMs = 300;

/** Bytes that look random and are the same in each run (xorshift32). */
export function rubbish(bytes: number, seed = 2_463_534_242): Buffer {
  const data = Buffer.alloc(bytes);
  let state = seed;
  for (let index = 0; index < bytes; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    data[index] = state & 255;
  }
  return data;
}
