/**
 * The text of a configuration as plain data. YAML can name a part and repeat it (aliases), so that a few lines may
 * exceed any memory: files with aliases are refused, and so are long and deep ones. All other work takes time in
 * proportion to the parts of the file, which are counted first. No refusal repeats any part of the file, which holds
 * passwords.
 */
import { isAlias, isMap, isScalar, Lexer, parseDocument, visit, type ParsedNode } from 'yaml';
import { maxImportLines } from '@nazar/contract/camera-import.ts';
import { Problem } from '#lib/problem.ts';

/** Real configurations nest some eight levels. Both libraries and our code recurse. */
const maxDepth = 40;

/**
 * Tokens of YAML. 10,000 lines with a key and a value have 80,000, which take 0.3 s of a core; the largest real files
 * have 12,000.
 */
const maxParts = 100_000;

const refused = (
  code: 'import_aliases' | 'import_too_complex' | 'import_too_long' | 'import_unreadable',
  params: Record<string, number> = {},
): Problem => new Problem(code, { field: 'text', ...params });

/** Throws import_too_long, import_too_complex, import_aliases, import_unreadable (with the line). */
export function readConfiguration(text: string): unknown {
  const lines = text.split('\n').length;
  if (lines > maxImportLines) throw refused('import_too_long', { lines: maxImportLines });
  const deep = tooDeepAt(text);
  if (deep !== null) throw refused('import_unreadable', { line: deep });
  if (partsOf(text) > maxParts) throw refused('import_too_complex');
  const document = parsed(text);
  const [error] = document.errors;
  if (error) throw refused('import_unreadable', { line: lineAt(text, error.pos[0]) });
  refuseAliases(document.contents, text);
  return document.toJS({ maxAliasCount: 0 });
}

/** Counts only until there is one too many. */
export function partsOf(text: string): number {
  let parts = 0;
  for (const _ of new Lexer().lex(text)) {
    parts += 1;
    if (parts > maxParts) break;
  }
  return parts;
}

function parsed(text: string) {
  try {
    return parseDocument(text, {
      schema: 'core',
      version: '1.2',
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
      stringKeys: true,
      // The library would compare each key with all before it: `keyTwice` uses a set.
      uniqueKeys: false,
    });
  } catch (error) {
    // Indentation nests, too.
    if (error instanceof RangeError) throw refused('import_unreadable', { line: 1 });
    throw error;
  }
}

function refuseAliases(contents: ParsedNode | null, text: string): void {
  visit(contents, (_key, node, path) => {
    if (isAlias(node)) throw refused('import_aliases');
    if (path.length > 2 * maxDepth) throw refused('import_unreadable', { line: 1 });
    const again = isMap(node) ? keyTwice(node.items.map(({ key }) => key)) : null;
    if (again !== null) throw refused('import_unreadable', { line: lineAt(text, again) });
  });
}

/** The position of a key that occurs a second time; null if each occurs once. */
function keyTwice(keys: readonly unknown[]): number | null {
  const known = new Set<string>();
  for (const key of keys) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (known.has(name)) return key.range?.[0] ?? 0;
    known.add(name);
  }
  return null;
}

/** The line where brackets, dashes or indentation nest too deep; null if none does. Quotes are ignored. */
function tooDeepAt(text: string): number | null {
  let open = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const dashes = /^[\s-]*/.exec(line)![0].match(/-/g)?.length ?? 0;
    open = Math.max(0, open + count(line, /[[{]/g) - count(line, /[\]}]/g));
    const most = count(line, /[[{]/g) + count(line, /\? /g);
    if (Math.max(open, dashes, most) > maxDepth) return index + 1;
  }
  return null;
}

const count = (line: string, what: RegExp): number => line.match(what)?.length ?? 0;

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
