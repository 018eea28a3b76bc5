/** Passwords as people choose them, each with a word in it that is looked for afterwards. */

/** `word` has letters and digits only. */
export const passwordForms = (word: string): readonly string[] => [
  word,
  // Signs that end the host of an address, behind what looks like a port and behind what does not.
  ...['/', '?', '#', '\\'].flatMap((sign) => [
    `${word}${sign}a`,
    `1234${sign}${word}`,
    `${sign}${word}`,
    `${word}${sign}${sign}`,
    `1234${sign}ab@${word}`,
  ]),
  // Signs that mean something before the host.
  `${word}@`,
  `@${word}`,
  `a@${word}@b`,
  `${word}:b`,
  `:${word}`,
  `a:${word}@c:d`,
  `50%${word}`,
  `${word}%`,
  `${word}%zz`,
  `%${word}%41b`,
  `${word} with spaces`,
  ` ${word}`,
  `şəkər${word}`,
  `пароль-${word}`,
  `密${word}🔒`,
  `[${word}]`,
  `{${word}}`,
  `<${word}>`,
  `"${word}"`,
  `'${word}'`,
  `a&b=${word}`,
  `+${word};`,
  `$${word}^|\`~,*()`,
];

/** As a client that knows the rules writes it into an address. */
export const encoded = (password: string): string => encodeURIComponent(password);
