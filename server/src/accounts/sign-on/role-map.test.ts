import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimAt, mappedRole, parseRoleMap } from './role-map.ts';

test('claims of the provider are read as the configuration maps them, the highest role first', () => {
  const map = parseRoleMap('cameras-admins=admin, ops = operator,cn=x=user')!;
  assert.equal(mappedRole(['ops', 'cameras-admins'], map), 'admin');
  assert.equal(mappedRole('ops', map), 'operator');
  assert.equal(mappedRole(['cn=x', 'nothing'], map), 'user');
  for (const claim of [undefined, null, 7, {}, [], ['superadmin'], [['ops']], '__proto__']) {
    assert.equal(mappedRole(claim, map), 'user', JSON.stringify(claim));
  }
  assert.equal(mappedRole(['root'], parseRoleMap('root=superadmin')!), 'superadmin');
  assert.equal(mappedRole(['superadmin'], new Map()), null, 'nothing mapped: roles are given here');
});

test('a role that is none, and a line without one, are refused', () => {
  for (const text of ['a=boss', 'a', '=admin', 'a=admin,b'])
    assert.equal(parseRoleMap(text), null, text);
  assert.equal(parseRoleMap('')!.size, 0);
});

test('a claim is found by its name, or by a path into objects, and nowhere else', () => {
  const claims = {
    groups: ['a'],
    realm_access: { roles: ['b'] },
    'https://x.example/roles': ['c'],
  };
  assert.deepEqual(claimAt(claims, 'groups'), ['a']);
  assert.deepEqual(claimAt(claims, 'realm_access.roles'), ['b']);
  assert.deepEqual(claimAt(claims, 'https://x.example/roles'), ['c']);
  for (const path of ['constructor', 'realm_access.constructor', 'groups.0.x', '', '__proto__.x']) {
    assert.equal(claimAt(claims, path), undefined, path);
  }
});
