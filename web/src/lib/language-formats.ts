/** What is written otherwise in each language: numbers, times and lists. */
type AgoUnit = 'second' | 'minute' | 'hour' | 'day';

export interface Formats {
  number(options: Intl.NumberFormatOptions): (value: number) => string;
  time(options: Intl.DateTimeFormatOptions): (at: Date) => string;
  /** "2 minutes ago": `value` is negative for what is past. */
  ago(value: number, unit: AgoUnit): string;
  list(parts: readonly string[]): string;
}
