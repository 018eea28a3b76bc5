/** Whether a name, folded as the database folds it, matches the pattern. */
import type { NamePattern } from './rows.ts';

export const hasPattern = (name: string, { text, begins, ends }: NamePattern): boolean => {
  if (begins && ends) return name === text;
  if (begins) return name.startsWith(text);
  return ends ? name.endsWith(text) : name.includes(text);
};
