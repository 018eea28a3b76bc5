/**
 * Small faults that can be planted in a TypeScript source, as mutation testing has them: a condition negated, a
 * comparison or an operator swapped, a call left out, an early return, an empty string or list, true for false.
 */
import { SyntaxKind } from 'typescript/unstable/ast';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

/**
 * @typedef {import('typescript/unstable/ast').Node} Node
 * @typedef {{ file: string, line: number, start: number, end: number, from: string, to: string }} Mutant
 *   `from` is what stands at start to end, `to` what is planted there; lines count from 1
 */

const folder = '/mutation';

/**
 * Each source as the compiler reads it. Nothing is resolved or checked: a tree is all that is wanted.
 * @param {Record<string, string>} sources by file
 */
export function parsed(sources) {
  const files = Object.keys(sources);
  const compilerOptions = {
    noLib: true,
    noResolve: true,
    types: [],
    jsx: 'preserve',
    noEmit: true,
  };
  const project = `${folder}/tsconfig.json`;
  const api = new API({
    cwd: folder,
    fs: createVirtualFileSystem({
      [project]: JSON.stringify({ compilerOptions, files }),
      ...Object.fromEntries(files.map((file) => [`${folder}/${file}`, sources[file]])),
    }),
  });
  try {
    const { program } = api.updateSnapshot({ openProject: project }).getProjects()[0];
    return Object.fromEntries(
      files.map((file) => [file, program.getSourceFile(`${folder}/${file}`)]),
    );
  } finally {
    api.close();
  }
}

/**
 * @param {Record<string, string>} sources by file
 * @param {Map<string, Set<number>>} lines that may be changed, by file
 * @returns {Mutant[]} in the order of the sources
 */
export function mutantsOf(sources, lines) {
  const trees = parsed(sources);
  return Object.entries(sources).flatMap(([file, text]) => {
    const starts = lineStarts(text);
    const lineAt = (at) => starts.findLastIndex((start) => start <= at) + 1;
    const wanted = [...(lines.get(file) ?? [])];
    const isWanted = (from, until) =>
      wanted.some((line) => line >= lineAt(from) && line <= lineAt(until));
    return faultsIn(trees[file], text)
      .filter(({ start, within = [start, start] }) => isWanted(...within))
      .map(({ start, end, to, within: [at] = [start] }) => {
        return { file, line: lineAt(at), start, end, from: text.slice(start, end), to };
      })
      .toSorted((one, other) => one.start - other.start);
  });
}

const lineStarts = (text) => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];

/** The whole source with one fault. */
export const planted = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);

/** What stands there, and what is planted. */
const swapped = new Map([
  [SyntaxKind.LessThanToken, ['<', '<=']],
  [SyntaxKind.LessThanEqualsToken, ['<=', '<']],
  [SyntaxKind.GreaterThanToken, ['>', '>=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>=', '>']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['===', '!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['!==', '===']],
  [SyntaxKind.AmpersandAmpersandToken, ['&&', '||']],
  [SyntaxKind.BarBarToken, ['||', '&&']],
  [SyntaxKind.PlusToken, ['+', '-']],
  [SyntaxKind.MinusToken, ['-', '+']],
  [SyntaxKind.AsteriskToken, ['*', '/']],
  [SyntaxKind.SlashToken, ['/', '*']],
]);

const equalities = new Set([
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
]);

const functions = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.SetAccessor,
]);

/** Types are gone when the program runs, and a module that is not found proves nothing. */
const leftOut = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
]);
const isType = ({ kind }) => kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode;
/** How something looks is for eyes. */
const isLook = (node) =>
  node.kind === SyntaxKind.JsxAttribute && /^(?:className|style|key)$/.test(node.name.text ?? '');

/** @param {Node} tree */
function faultsIn(tree, text) {
  const found = [];
  const visit = (node) => {
    if (leftOut.has(node.kind) || isType(node) || isLook(node)) return;
    found.push(...faultsAt(node, tree, text));
    node.forEachChild((child) => {
      visit(child);
    });
  };
  visit(tree);
  return found;
}

function faultsAt(node, tree, text) {
  const start = node.getStart(tree);
  const whole = (to) => [{ start, end: node.end, to }];
  switch (node.kind) {
    case SyntaxKind.BinaryExpression:
      return operatorFaults(node);
    case SyntaxKind.IfStatement:
    case SyntaxKind.WhileStatement:
      return negated(node.expression, tree, text);
    case SyntaxKind.ConditionalExpression:
      return negated(node.condition, tree, text);
    case SyntaxKind.ExpressionStatement:
      return isCall(node.expression) ? whole(';') : [];
    case SyntaxKind.TrueKeyword:
      return whole('false');
    case SyntaxKind.FalseKeyword:
      return whole('true');
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return node.text === '' || isName(node) ? [] : whole(text[start] + text[start]);
    case SyntaxKind.TemplateExpression:
      return whole('``');
    case SyntaxKind.ArrayLiteralExpression:
      return node.elements.length === 0 || isTarget(node) ? [] : whole('[]');
    default:
      return functions.has(node.kind) ? earlyReturn(node, tree) : [];
  }
}

function operatorFaults({ operatorToken: { kind, end } }) {
  const [from, to] = swapped.get(kind) ?? [];
  return from === undefined ? [] : [{ start: end - from.length, end, to }];
}

/** An equality that is swapped is a condition negated. */
function negated(condition, tree, text) {
  if (equalities.has(condition.operatorToken?.kind)) return [];
  const start = condition.getStart(tree);
  return [{ start, end: condition.end, to: `!(${text.slice(start, condition.end)})` }];
}

function isCall(expression) {
  const { kind } = expression;
  if (kind === SyntaxKind.AwaitExpression || kind === SyntaxKind.VoidExpression)
    return isCall(expression.expression);
  return (
    kind === SyntaxKind.CallExpression && expression.expression.kind !== SyntaxKind.SuperKeyword
  );
}

/** The name of a property or of a module: no value. */
const isName = ({ parent, pos }) =>
  parent.name?.pos === pos || parent.expression?.kind === SyntaxKind.ImportKeyword;

/** What is assigned to, and no list. */
const isTarget = ({ parent, pos }) =>
  parent.operatorToken?.kind === SyntaxKind.EqualsToken && parent.left.pos === pos;

/** A change anywhere in a function is a reason to leave all of it out. */
function earlyReturn(node, tree) {
  const { body } = node;
  if (body === undefined || body.statements?.length === 0) return [];
  const start = body.getStart(tree);
  const within = [node.getStart(tree), body.end - 1];
  return body.kind === SyntaxKind.Block
    ? [{ start, end: start + 1, to: '{ return;', within }]
    : [{ start, end: body.end, to: 'undefined', within }];
}
