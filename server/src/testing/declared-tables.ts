/** The tables that stores declare (`interface Tables`), as the compiler understands them. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { API, type Checker, type Type } from 'typescript/unstable/sync';

/** `json`: an object, or a list of them. */
export type ColumnKind =
  'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'string[]' | 'number[]';

export interface DeclaredColumn {
  readonly file: string;
  readonly table: string;
  readonly column: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

const root = resolve(import.meta.dirname, '../../..');
const interfaces = /^(?:export )?interface (\w*Tables)\b/gm;

/** Kysely's `Generated` and `ColumnType` are read as what a query answers. */
function selected(checker: Checker, type: Type): Type {
  const select = checker.getPropertyOfType(type, '__select__');
  return (select && checker.getTypeOfSymbol(select)) ?? type;
}

function kindOf(checker: Checker, type: Type): ColumnKind {
  const is = (target: Type): boolean => checker.isTypeAssignableTo(type, target);
  if (is(checker.getStringType())) return 'string';
  if (is(checker.getNumberType())) return 'number';
  if (is(checker.getBooleanType())) return 'boolean';
  const text = checker.typeToString(type);
  if (text === 'Date') return 'Date';
  if (text.startsWith('Buffer')) return 'Buffer';
  if (!checker.isArrayLikeType(type)) return 'json';
  const element = checker.getIndexInfosOfType(type)[0]?.valueType;
  const of = element && kindOf(checker, element);
  return of === 'string' || of === 'number' ? `${of}[]` : 'json';
}

function columnsOf(checker: Checker, file: string, table: string, row: Type): DeclaredColumn[] {
  return checker.getPropertiesOfType(row).map((property) => {
    const type = selected(checker, checker.getTypeOfSymbol(property)!);
    return {
      file,
      table,
      column: property.name,
      kind: kindOf(checker, checker.getNonNullableType(type) ?? type),
      isNullable: checker.isTypeAssignableTo(checker.getNullType(), type),
    };
  });
}

/** Tests declare tables of their own and are left out. */
export function declaredColumns(): DeclaredColumn[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') });
    const files = globSync('server/src/**/*.ts', { cwd: root });
    return files
      .filter((file) => !/\.test\.ts$|testing/.test(file))
      .sort()
      .flatMap((file) => columnsIn(snapshot.getProjects()[0]!.checker, file));
  } finally {
    api.close();
  }
}

function columnsIn(checker: Checker, file: string): DeclaredColumn[] {
  const path = join(root, file);
  return [...readFileSync(path, 'utf8').matchAll(interfaces)].flatMap((found) => {
    const name = found.index + found[0].length - 1;
    const tables = checker.getDeclaredTypeOfSymbol(checker.getSymbolAtPosition(path, name)!);
    return checker.getPropertiesOfType(tables).flatMap((table) => {
      const row = checker.getTypeOfSymbol(table)!;
      // Names of tables, for modules that are given them.
      if (kindOf(checker, row) === 'string') return [];
      return columnsOf(checker, file, table.name, row);
    });
  });
}
