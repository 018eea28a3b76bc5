/**
 * A sentence of these files: found by its key, in the plural form of its count, its values filled in. The server and
 * the pages both use it, so a sentence that both have reads the same in both.
 */

/** A file of sentences, or a group in one. */
export interface Words {
  readonly [name: string]: string | Words;
}

export type Values = Readonly<Record<string, string | number | null | undefined>>;

export interface Source {
  readonly language: string;
  /** Undefined while they are not loaded. */
  readonly words: Words | undefined;
  /** How a value stands in a sentence, e.g. escaped, or grouped in thousands. */
  readonly shown: (value: string | number, name: string) => string;
}

/** Undefined where no sentence has the key. A value that is missing leaves nothing in its place. */
export function sentence(source: Source, key: string, values: Values = {}): string | undefined {
  const { language, words, shown } = source;
  const { count } = values;
  const counted =
    typeof count === 'number' ? textAt(words, `${key}_${pluralForm(language, count)}`) : undefined;
  const text = counted ?? textAt(words, key);
  const other = text && otherKey(text, values);
  if (other) return sentence(source, other, values);
  return text?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return shown(value, name);
  });
}

/**
 * `$t(fault.{{fault}})`: the text stands for another sentence, whose key a value completes. Only the file says so: what
 * values hold is never a key with dots, and is never read as a sentence.
 */
function otherKey(text: string, values: Values): string | undefined {
  const [, key] = /^\$t\(([\w.{}]+)\)$/.exec(text) ?? [];
  return key?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values[name] ?? '').replaceAll(/\W/g, ''),
  );
}

function textAt(words: Words | undefined, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<string | Words | undefined>(
      (tree, name) => (typeof tree === 'object' ? tree[name] : undefined),
      words,
    );
  return typeof found === 'string' ? found : undefined;
}

const rules = new Map<string, Intl.PluralRules>();

function pluralForm(language: string, count: number): string {
  const found = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, found);
  return found.select(count);
}
