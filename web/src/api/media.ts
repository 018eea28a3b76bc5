/**
 * Pictures behind the bearer token: fetched once, kept as object URLs while a component shows them and a
 * little longer, then given back. Nothing of them is written to any storage.
 */
import { fetchSigned } from './call.ts';
import { forgetMissing, knownMissing, noteFound, noteMissing } from './missing.ts';
import { readProblem } from './problem.ts';

interface Kept {
  readonly url: Promise<string>;
  users: number;
  expiry: ReturnType<typeof setTimeout> | undefined;
}

/** Long enough for a list that scrolls back or a dialog that reopens. */
const KEEP_UNUSED_MS = 30_000;

const pictures = new Map<string, Kept>();

async function load(address: string): Promise<string> {
  const known = knownMissing(address);
  if (known !== null) throw known;
  const response = await fetchSigned(address);
  if (!response.ok) {
    const problem = await readProblem(response);
    noteMissing(address, problem);
    throw problem;
  }
  noteFound(address);
  return URL.createObjectURL(await response.blob());
}

function drop(address: string, kept: Kept): void {
  if (pictures.get(address) === kept) pictures.delete(address);
  void kept.url.then((url) => URL.revokeObjectURL(url)).catch(() => undefined);
}

function take(address: string): Kept {
  const found = pictures.get(address);
  if (found !== undefined) return found;
  const kept: Kept = { url: load(address), users: 0, expiry: undefined };
  pictures.set(address, kept);
  // What failed may be asked for again: at once, or when what is not there may be asked for again.
  kept.url.catch(() => drop(address, kept));
  return kept;
}

/** The picture as an object URL, good until `release` is called. */
export function media(address: string): { url: Promise<string>; release: () => void } {
  const kept = take(address);
  kept.users += 1;
  clearTimeout(kept.expiry);
  let released = false;
  return {
    url: kept.url,
    release() {
      if (released) return;
      released = true;
      kept.users -= 1;
      if (kept.users === 0) kept.expiry = setTimeout(() => drop(address, kept), KEEP_UNUSED_MS);
    },
  };
}

/** At sign-out no picture stays in memory. */
export function forgetMedia(): void {
  forgetMissing();
  for (const [address, kept] of pictures) {
    clearTimeout(kept.expiry);
    drop(address, kept);
  }
}
