import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createLog, LogLines } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => lines.push(line) }));
  return lines;
}

/** What begins a line, moves a cursor, hides or turns text. */
const forbidden = /(?!\n)\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const hostile = [
  'a\r\n{"level":60,"msg":"forged"}',
  '\n',
  '\r',
  '\x1b[2J\x1b]0;title\x07',
  '\x9b31m',
  '\x7f\x08\x08',
  '\u2028\u2029\x85\x0b\x0c',
  '\u202egnp.exe\u202c',
  '\u2066\u2067\u2068\u2069\u061c\u200f',
  '\ufeff\u200b',
  '\uD800',
  '"}\n{"',
];

test('C-805 input of a user is one line of the log, and controls no terminal', () => {
  const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, text, (name, other) => {
      const lines = logged((log) => {
        log.info({ userAgent: name, list: [other], [other || 'key']: name }, name);
        log.error({ err: new Error(name) }, 'failed');
      });
      assert.equal(lines.length, 2);
      for (const line of lines) {
        assert.equal(line.indexOf('\n'), line.length - 1);
        assert.doesNotMatch(line, forbidden);
      }
      const { msg, userAgent } = JSON.parse(lines[0]!) as Record<string, unknown>;
      // A lone surrogate cannot be written; everything else is kept as it was sent.
      assert.equal(msg, JSON.parse(JSON.stringify(name)));
      if (other !== 'userAgent') assert.equal(userAgent, JSON.parse(JSON.stringify(name)));
    }),
    { examples: hostile.map((each) => [each, each] as [string, string]), numRuns: 500 },
  );
});

test('C-604 fields with secret names are not written, nor a password in an address', () => {
  const secret = 'canary-4711';
  const [line = ''] = logged((log) =>
    log.info(
      {
        password: secret,
        login: { password: secret, refresh: secret },
        headers: { authorization: secret, cookie: secret },
        url: secret,
        address: `rtsp://user:${secret}@192.168.1.9/s?token=${secret}`,
        err: new TypeError(`Failed to parse URL from rtsp://user:a/b ${secret}@192.168.1.9/s`),
      },
      'signed in',
    ),
  );
  assert.ok(!line.includes(secret), line);
  assert.ok(line.includes('192.168.1.9'));
});

test('LDS-020 a reader of the log gets the lines of before, then each, until it ends; all are printed', () => {
  const printed: string[] = [];
  const lines = new LogLines();
  const log = createLog('info', { write: (line) => printed.push(line) }, lines);
  log.info('early');
  const read: string[] = [];
  const following = lines.follow((line) => read.push(line));
  log.info('late');
  following[Symbol.dispose]();
  log.info('after');
  assert.deepEqual(read, printed.slice(0, 2));
  assert.equal(printed.length, 3);
});

test('LDS-020 a reader gets debug lines whatever is printed, so that it can choose while the server runs', () => {
  const printed: string[] = [];
  const read: string[] = [];
  const log = createLog(
    'warn',
    { write: (line) => printed.push(line) },
    { write: (line) => void read.push(line) },
  );
  log.child({ module: 'a' }).debug('detail');
  log.warn('seen');
  const said = (lines: string[]) => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.deepEqual([said(printed), said(read)], [['seen'], ['detail', 'seen']]);
  const silent = createLog('silent', { write: (line) => printed.push(line) });
  silent.fatal('nothing');
  assert.equal(printed.length, 1);
});
