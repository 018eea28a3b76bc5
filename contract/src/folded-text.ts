/**
 * Texts as they are compared where capitals do not matter: names, and what is searched for in them. The database folds
 * in the same way (`db/like.ts`), and a test compares both letter by letter.
 */

/**
 * One small letter for İ, I, ı and i: which capital belongs to which depends on the language of the name, which is not
 * known. Each letter is lowered by itself, wherever it stands, and none becomes two: places in the text stay the same.
 */
export const foldedText = (text: string): string =>
  Array.from(text, (letter) => (iLetters.has(letter) ? 'i' : letter.toLowerCase())).join('');

const iLetters: ReadonlySet<string> = new Set(['İ', 'I', 'ı', 'i']);
