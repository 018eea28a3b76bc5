/** What `npm run admin` says of options it can't use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command, emptyDataFolder } from '#testing/installation.ts';

test('npm run admin names each option that is wrong, and touches nothing', async () => {
  using data = emptyDataFolder();
  const said = async (...words: string[]): Promise<string> => {
    const run = await command('admin', words, data.path);
    assert.equal(run.code, 1);
    return run.said;
  };
  const bad = await said('create', '--email', 'a@b.c', '--password', 'x', '--role', 'king');
  assert.equal(bad, '--email: Enter a valid email address.\n--role: Choose one of the options.\n');
  assert.equal(await said('reset'), '--email: This field is required.\n');
  assert.match(await said('create', '--frog', '1'), /^Unknown option '--frog'.*\nUsage:/s);
  assert.match(await said('crate'), /^Usage:/);
});
