/** NAV-044: the first letters of both names, or EA for somebody without a name. */
export function initials(firstName: string, lastName: string): string {
  const letters = [firstName, lastName].map((name) => [...name.trim()][0] ?? '').join('');
  return letters === '' ? 'EA' : letters.toLocaleUpperCase();
}
