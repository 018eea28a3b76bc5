/**
 * The text of a configuration as plain data. YAML can name a part and repeat it (aliases), so that a few lines become
 * more than a memory holds: files with aliases are refused, and so are long and deep ones. No refusal repeats anything
 * of the file, which holds passwords.
 */
import { isAlias, parseDocument, visit, type ParsedNode } from 'yaml';
import { maxImportLines } from '@nazar/contract/camera-import.ts';
import { Problem } from '#lib/problem.ts';

/** Real configurations nest some eight levels. Both libraries and we walk by recursion. */
const maxDepth = 40;

const refused = (
  code: 'import_aliases' | 'import_too_long' | 'import_unreadable',
  params: Record<string, number> = {},
): Problem => new Problem(code, { field: 'text', ...params });

/** Throws import_too_long, import_aliases, import_unreadable (with the line). */
export function readConfiguration(text: string): unknown {
  const lines = text.split('\n').length;
  if (lines > maxImportLines) throw refused('import_too_long', { lines: maxImportLines });
  const deep = tooDeepAt(text);
  if (deep !== null) throw refused('import_unreadable', { line: deep });
  const document = parsed(text);
  const [error] = document.errors;
  if (error) throw refused('import_unreadable', { line: lineAt(text, error.pos[0]) });
  refuseAliases(document.contents);
  return document.toJS({ maxAliasCount: 0 });
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
    });
  } catch (error) {
    // Indentation nests, too.
    if (error instanceof RangeError) throw refused('import_unreadable', { line: 1 });
    throw error;
  }
}

function refuseAliases(contents: ParsedNode | null): void {
  visit(contents, (_key, node, path) => {
    if (isAlias(node)) throw refused('import_aliases');
    if (path.length > 2 * maxDepth) throw refused('import_unreadable', { line: 1 });
  });
}

/** The line where brackets, dashes or indentation nest too deep; null when none does. Quotes are not looked at. */
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
