/** Reads data of unknown shape. An inherited property never counts as a part of the file. */

export type Section = Readonly<Record<string, unknown>>;

export function sectionOf(data: unknown, name?: string): Section {
  const value = name === undefined ? data : memberOf(data, name);
  const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isSection ? (value as Section) : {};
}

export function memberOf(data: unknown, name: string): unknown {
  const holds = typeof data === 'object' && data !== null && Object.hasOwn(data, name);
  return holds ? (data as Section)[name] : undefined;
}

/** A single value becomes a list of one, and a missing one an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The texts of a list. */
export const textsOf = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string');
