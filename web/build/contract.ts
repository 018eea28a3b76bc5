/**
 * What the pages take of the contract, without what only the server needs. A module of `contract/src` that holds
 * schemas is replaced by its plain values: lists, and routes as method, paths, callers and whether there is an answer.
 * Its schemas stay where they are, and zod with them, in a module of their own that only a page with a form reaches.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const folder = resolve(import.meta.dirname, '../../contract/src');
/** Marks the module with the schemas. */
const schemas = '?schemas';

type Values = Record<string, unknown>;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
const isSchema = (value: unknown): boolean => isObject(value) && '_zod' in value;
const isRoute = (value: unknown): value is Values =>
  isObject(value) && typeof value['method'] === 'string' && typeof value['path'] === 'string';
const isTable = (value: unknown): value is Values =>
  isObject(value) && Object.values(value).length > 0 && Object.values(value).every(isRoute);

/** Whether JSON can hold it: text, figures, flags, null, and lists and objects of them. */
const isPlain = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  value === null ||
  (isObject(value) &&
    [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value) as object) &&
    Object.values(value).every(isPlain));

/** A page asks how to call a route, and never looks into its schemas (web/src/api/call.ts). */
const asked = ({ method, path, alsoAt, callers, reply }: Values): Values => ({
  method,
  path,
  ...(alsoAt !== undefined && { alsoAt }),
  callers,
  ...(reply !== undefined && { reply: true }),
});

const withoutSchemas = (table: Values): Values =>
  Object.fromEntries(Object.entries(table).map(([name, route]) => [name, asked(route as Values)]));

/** Objects of schemas and settings keep the settings: no page looks into the schemas that lie in them. */
function withoutLyingSchemas(value: unknown): unknown {
  // Whatever has a class, such as a registry of zod, stays what it is, and is not plain.
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(([, below]) => !isSchema(below));
  return Object.fromEntries(kept.map(([key, below]) => [key, withoutLyingSchemas(below)]));
}

function plain(value: unknown): unknown {
  if (isTable(value)) return withoutSchemas(value);
  const rest = withoutLyingSchemas(value);
  return isPlain(rest) && JSON.stringify(rest) !== '{}' ? rest : undefined;
}

/** The module as the pages get it; null: it holds no schema and is taken as it is. */
export function plainModule(module: Values, source: string): string | null {
  if (!Object.values(module).some((value) => isSchema(value) || isTable(value))) return null;
  return Object.entries(module)
    .map(([name, value]) => {
      const kept = isPlain(value) ? value : plain(value);
      return kept === undefined
        ? `export { ${name} } from ${JSON.stringify(source + schemas)};`
        : `export const ${name} = ${JSON.stringify(kept)};`;
    })
    .join('\n');
}

export function contract(): Plugin {
  return {
    name: 'nazar-contract',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(folder) && id.endsWith(schemas) ? id : null),
    async load(id) {
      const [file = ''] = id.split('?');
      if (!file.startsWith(join(folder, '/')) || !file.endsWith('.ts')) return null;
      if (id.endsWith(schemas)) {
        const code = stripTypeScriptTypes(readFileSync(file, 'utf8'));
        // No code takes a route from here: what is marked pure and unused leaves the bundle.
        return {
          code: code.replaceAll(/\broute\(\{/g, '/* @__PURE__ */ route({'),
          moduleSideEffects: false,
        };
      }
      const code = plainModule((await import(pathToFileURL(file).href)) as Values, file);
      return code === null ? null : { code, moduleSideEffects: false, moduleType: 'js' };
    },
  };
}
