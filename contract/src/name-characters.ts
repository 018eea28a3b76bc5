/** Which characters names are made of: those that are seen, and what shapes them. */

/**
 * Characters that show nothing or turn round what stands behind them: controls, separators of lines, zero width, marks
 * of direction and their overrides, selectors and tags. With them two names look alike, or a name reads as another one.
 */
const unseen =
  '\\p{Cc}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e01ef}';
/** Joiners stand between these: they shape letters (Persian, Sinhala) and emoji. */
const joined = '[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';
const joiner = `[\\u200c\\u200d](?=${joined})`;
/** Where some of them are part of what is seen. */
const seen = [
  `${joined}${joiner}`,
  `[\\p{Extended_Pictographic}0-9#*][\\ufe0e\\ufe0f](?:${joiner})?`,
  // Flags of countries within a country, and forms of Han characters that names are written with.
  '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}',
  '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}]',
];
export const nameCharacters = new RegExp(`^(?:${seen.join('|')}|[^${unseen}])*$`, 'u');

export const unseenCharacters = new RegExp(`[${unseen}]`, 'gu');
