/** Which tests know a source: those of its name and those that import it; where there are none, those of its importers. */
import { basename, dirname, join } from 'node:path/posix';

/** More would make each fault dear, and those that come first are nearest. */
const most = 6;

const specifiers = /\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** The file of the project that a source means by `name`; null: a package. */
function resolved(name, from) {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [workspace] = from.split('/');
  if (name.startsWith('#')) return `${workspace}/src/${name.slice(1)}`;
  const own = /^@nazar\/(\w+)\/(.+)$/.exec(name);
  if (own === null) return null;
  return own[1] === 'contract' ? `contract/src/${own[2]}` : `${own[1]}/${own[2]}`;
}

/**
 * @param {Record<string, string>} sources of the whole project, by file
 * @returns {Map<string, Set<string>>} who imports a file
 */
export function importersOf(sources) {
  const importers = new Map();
  for (const [file, text] of Object.entries(sources)) {
    for (const [, name] of text.matchAll(specifiers)) {
      const imported = resolved(name, file);
      if (imported === null) continue;
      if (!importers.has(imported)) importers.set(imported, new Set());
      importers.get(imported).add(file);
    }
  }
  return importers;
}

const isTest = (file) => /\.test\.tsx?$/.test(file);

const nameOf = (file) => basename(file).replace(/\..*$/, '');
const workspaceOf = (file) => file.slice(0, file.indexOf('/'));

/** A test of the same name is about it, wherever in the workspace it stands. */
const isNamesake = (test, source) =>
  nameOf(test) === nameOf(source) && workspaceOf(test) === workspaceOf(source);

/** How many folders lie between them. */
function foldersBetween(test, source) {
  const [these, those] = [test, source].map((file) => dirname(file).split('/'));
  const shared = these.findIndex((folder, at) => folder !== those[at]);
  const common = shared < 0 ? these.length : shared;
  return these.length + those.length - 2 * common;
}

/** Its namesakes first, then those of its folder and of folders near it; among them those that need least. */
function costOf(test, source) {
  const needs = ['.db.', '.model.', '.media.'].findIndex((kind) => test.includes(kind)) + 1;
  return (isNamesake(test, source) ? 0 : 1000) + 10 * foldersBetween(test, source) + needs;
}

/**
 * @param {string} source
 * @param {Map<string, Set<string>>} importers
 * @param {readonly string[]} tests all there are
 * @returns {string[]} nearest first, none where no test reaches it
 */
export function nearestTests(source, importers, tests) {
  const own = tests.filter((test) => isTest(test) && isNamesake(test, source));
  const seen = new Set([source]);
  let ring = [source];
  const found = new Set(own);
  while (ring.length > 0) {
    const next = ring.flatMap((file) => [...(importers.get(file) ?? [])]);
    ring = [...new Set(next)].filter((file) => !seen.has(file));
    for (const file of ring) {
      seen.add(file);
      if (isTest(file)) found.add(file);
    }
    if (found.size > 0) break;
  }
  return [...found]
    .toSorted((one, other) => costOf(one, source) - costOf(other, source) || (one < other ? -1 : 1))
    .slice(0, most);
}
