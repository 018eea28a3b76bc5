/**
 * Text of users within sentences of ours, which all read from left to right. Names may be written from right to left,
 * and those of before may hold marks that turn text: neither may reorder what stands around them (UAX #9).
 */

/** Letters that are written from right to left, by the ranges that Unicode keeps for them, and every mark of direction. */
const turns =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const embeddings = /[\u202a-\u202e]/g;
const isolates = /[\u2066-\u2069]/g;
const [firstStrongIsolate, popIsolate] = ['\u2068', '\u2069'];

/**
 * The text as an island of its own direction, to stand in a sentence. Text without letters or marks that turn anything
 * stays as it is. Embeddings and overrides go, and isolates that are not closed inside of it, too.
 */
export function isolated(text: string): string {
  if (!turns.test(text)) return text;
  const plain = text.replaceAll(embeddings, '');
  const inner = isBalanced(plain) ? plain : plain.replaceAll(isolates, '');
  return `${firstStrongIsolate}${inner}${popIsolate}`;
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const [mark] of text.matchAll(isolates)) {
    open += mark === popIsolate ? -1 : 1;
    if (open < 0) return false;
  }
  return open === 0;
}
