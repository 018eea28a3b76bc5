/** Makes a camera's names fit to be shown: one line, without characters that turn or hide text. */
const maxLength = 100;

export function plainText(said: unknown): string {
  if (typeof said !== 'string' && typeof said !== 'number') return '';
  return String(said)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength);
}
