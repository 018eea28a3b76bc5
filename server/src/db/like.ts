/** A LIKE pattern that finds `text` anywhere and takes none of it for a wildcard (C-713). */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}
