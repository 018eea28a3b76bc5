/** File names for downloads (RFC 6266): letters of any language, and an ASCII name for clients that need one. */

/** `attr-char` of RFC 8187 allows less than `encodeURIComponent` leaves unescaped. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Letters without their accents; letters without an ASCII form are left out. */
function asciiOf(name: string): string {
  const plain = name
    .replaceAll('ə', 'e')
    .replaceAll('Ə', 'E')
    .replaceAll('ı', 'i')
    .normalize('NFKD');
  return plain.replace(/[^\x20-\x7e]|["\\%/]/g, '').replace(/^[-. ]+/, '');
}

/** The value of Content-Disposition. `name` has no path and no control characters: see `fileNamePart`. */
export function attachment(name: string): string {
  const ascii = asciiOf(name);
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encoded(name)}`;
}

/** File names have at most 255 bytes on most systems, and more is added to this one. */
const maxBytes = 200;

/**
 * Typed text as a part of a file's name: its letters and digits. Anything else, be it a slash, a quote, a
 * control or a character that turns the direction of writing, becomes a hyphen. '' when nothing is left.
 */
export function fileNamePart(typed: string): string {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  let part = '';
  for (const char of words.join('-')) {
    if (Buffer.byteLength(part + char) > maxBytes) break;
    part += char;
  }
  return part.replace(/-$/, '');
}
