import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnfamiliar } from './familiar.ts';

const chrome140 = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const chrome141 = chrome140.replace('140.0', '141.0');
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1';
const earlier = [{ ip: '203.0.113.7', user_agent: chrome140 }];
const isNew = (ip: string, userAgent: string): boolean => isUnfamiliar(earlier, { ip, userAgent });

test('C-808 a new network or a new kind of device stands out, a new version does not', () => {
  assert.equal(isNew('203.0.113.7', chrome140), false);
  assert.equal(isNew('203.0.113.200', chrome141), false);
  assert.equal(isNew('198.51.100.7', chrome140), true);
  assert.equal(isNew('203.0.113.7', phone), true);
  assert.equal(isUnfamiliar([], { ip: '203.0.113.7', userAgent: phone }), false);
});
