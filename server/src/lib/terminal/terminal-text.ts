/**
 * What commands print. Names, files and foreign answers may hold escape sequences, line breaks and bidirectional
 * overrides, which make a terminal show whatever their author chose. Commands therefore print `TerminalText` only,
 * and the one way to make it from such values escapes them.
 */

/**
 * Controls, format characters (bidirectional overrides, zero widths, tags), line separators, lone surrogates, and letters
 * that look like spaces.
 */
const unsafe =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}|(?<= ) /gu;
/** As above, but keeps line breaks and the spaces that indent. */
const unsafeInLines = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text that a terminal shows unchanged. */
export class TerminalText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Used by `shown` and `linesShown` only: the text is safe. */
  static readonly safe = (text: string): TerminalText => new TerminalText(text);
}

type Value = string | number | TerminalText | readonly TerminalText[];

/**
 * A template whose own words stay and whose values are escaped, as `\x1b` or `\u202e`. A value cannot begin a line, and
 * has no two spaces side by side, because enough of them would. Each item of a list is shown on its own line.
 */
export function shown(words: TemplateStringsArray, ...values: Value[]): TerminalText {
  const parts = words.map((word, index) => word + textOf(values[index] ?? ''));
  return TerminalText.safe(parts.join(''));
}

/** A sentence of the product that may have several lines, and may hold values that were not escaped. */
export const linesShown = (sentence: string): TerminalText =>
  TerminalText.safe(sentence.replace(unsafeInLines, escaped));

function textOf(value: Value): string {
  if (value instanceof TerminalText) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('\n');
  return String(value).replace(unsafe, escaped);
}

function escaped(letter: string): string {
  const code = letter.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x1_0000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}
