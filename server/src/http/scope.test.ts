import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScope, noGrants, withCurrentScopes, type Asked, type Scope } from './scope.ts';

const scopeOf = (sessionId: string, ip = '192.0.2.1'): Scope =>
  createScope(
    { userId: `user of ${sessionId}`, email: '', sessionId, standing: 'user' },
    noGrants,
    { ip, userAgent: '' },
  );

test('rights are asked once for each session and address, and each that runs gets its own answer', async () => {
  const running = [
    { name: 'first', scope: scopeOf('one') },
    { name: 'other', scope: scopeOf('two') },
    { name: 'second', scope: scopeOf('one') },
    { name: 'elsewhere', scope: scopeOf('one', '192.0.2.2') },
  ];
  const current = scopeOf('one now');
  const asked: Asked[] = [];
  const answered = await withCurrentScopes(running, async (all) => {
    asked.push(...all);
    return all.map(({ asker, ip }) =>
      asker.sessionId === 'one' && ip === '192.0.2.1' ? current : null,
    );
  });
  assert.deepEqual(asked, [
    { asker: { sessionId: 'one', seeAs: null }, ip: '192.0.2.1' },
    { asker: { sessionId: 'two', seeAs: null }, ip: '192.0.2.1' },
    { asker: { sessionId: 'one', seeAs: null }, ip: '192.0.2.2' },
  ]);
  assert.deepEqual(Object.fromEntries(answered.map(([{ name }, scope]) => [name, scope])), {
    elsewhere: null,
    first: current,
    other: null,
    second: current,
  });
});
