/** The rights of many, for tests that say what they are of one. */
import type { ScopeOf, ScopesOf } from '#http/scope.ts';

export const oneByOne =
  (scopeOf: ScopeOf): ScopesOf =>
  (asked) =>
    Promise.all(asked.map(({ asker, ip }) => scopeOf(asker, ip)));
