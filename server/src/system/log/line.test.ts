import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createLog, type Log } from '#lib/log.ts';
import { encoded, passwordForms } from '#testing/passwords.ts';
import { aLine, lineOf, ownSource, type Line } from './line.ts';

function linesOf(write: (log: Log) => void): (Line | null)[] {
  const lines: (Line | null)[] = [];
  const also = { write: (line: string) => void lines.push(lineOf(line)) };
  write(createLog('trace', { write: () => undefined }, also));
  return lines;
}

const sources = (lines: readonly (Line | null)[]) => lines.map((line) => line?.source);

test('LDS-020 a line has the module that said it as its source, or the kind of process', () => {
  const lines = linesOf((log) => {
    log.info('starting');
    log.child({ module: 'http' }).error('request failed');
    log.child({ module: 'media' }).warn({ host: 'media-2', pid: 7 }, 'host lost');
    log.warn({ host: 'vision-0' }, 'host lost');
  });
  assert.deepEqual(sources(lines), ['server', 'http', 'media', 'vision']);
  assert.deepEqual(lines[2]?.details, { host: 'media-2', pid: 7 });
});

test('ENT-035 the seven levels of the log are four', () => {
  const lines = linesOf((log) => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) {
      log[level]({ userId: '019bc1a5-0000-7000-8000-000000000001' }, level);
    }
  });
  assert.deepEqual(
    lines.map((line) => line?.level),
    ['debug', 'debug', 'info', 'warning', 'error', 'error'],
  );
  assert.equal(lines[0]?.userId, '019bc1a5-0000-7000-8000-000000000001');
  assert.deepEqual(lines[0].details, {});
});

test('LDS-020 the system log’s lines about itself, and invalid lines, are not kept', () => {
  const [own] = linesOf((log) => log.child({ module: ownSource }).warn('cannot be written'));
  assert.equal(own, null);
  for (const text of ['', 'null', '[]', '7', '{', '{}', '{"level":30}', '{"time":"never"}']) {
    assert.equal(lineOf(text), null, text);
  }
});

const secrets = [
  'rtsp://user:canary-4711@192.168.1.9/s?token=canary-4711',
  'https://example.org/x?q=canary-4711',
  'canary-4711@example.org',
  'nza_canary-4711-canary-4711',
  'Bearer canary-4711',
];

test('C-604 no password, token or e-mail address is kept, wherever in a line it stands', () => {
  for (const secret of secrets) {
    const line = aLine({
      level: 'info',
      source: 'server',
      message: `could not read ${secret}, tried again`,
      userId: null,
      details: { note: secret, deep: { list: [`(${secret})`] }, err: { message: secret } },
      atMs: 0,
    });
    assert.ok(!JSON.stringify(line).includes('canary'), JSON.stringify(line));
    assert.ok(line.message.endsWith('tried again'), line.message);
  }
});

test('C-604 no form of a password is kept that a parser or a browser repeats, and where it happened stays', () => {
  const word = 'Canary4711Canary';
  for (const password of passwordForms(word)) {
    for (const text of [
      `Failed to parse URL from rtsp://admin:${password}@192.168.1.9/s`,
      `at https://nazar.example.org/assets/app.js:1:2 http://b:${password}@192.168.1.9/`,
      `GET /videostream.cgi?user=a&loginpas=${encoded(password)}&rate=0`,
      `Unexpected token in ${JSON.stringify({ a: 1, password, b: 2 })}`,
      `authorization: Digest username="admin", response="${word}", uri="/"`,
    ]) {
      const [line] = linesOf((log) => log.warn({ note: text, list: [{ text }] }, text));
      assert.ok(!JSON.stringify(line).includes(word), `${text}\n${JSON.stringify(line)}`);
    }
  }
  const bare = `no route to admin:1234/${word}@cam.lan`;
  const [line] = linesOf((log) => log.warn(bare));
  assert.equal(line?.message, 'no route to [removed]');
  const stack = 'draw@https://nazar.example.org/assets/app.js?v=1:10:42\ngo (/assets/b.js:1:2)';
  const [kept] = linesOf((log) => log.warn({ stack }, 'x'));
  assert.equal(
    kept?.details['stack'],
    'draw@https://nazar.example.org/assets/app.js:10:42\ngo (/assets/b.js:1:2)',
  );
});

test('C-604, C-1003 fields that hold a secret or name a person are withheld', () => {
  const canary = 'Canary Person';
  const [line] = linesOf((log) =>
    log.info(
      {
        first_name: canary,
        name: canary,
        person_name: canary,
        userAgent: canary,
        headers: { cookie: canary, 'x-api-key': canary },
        camera: 'kept',
      },
      'x',
    ),
  );
  assert.ok(!JSON.stringify(line).includes(canary), JSON.stringify(line));
  assert.equal(line?.details['camera'], 'kept');
});

test('C-1003 PostgreSQL’s row is left out of an error, and where it happened stays', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "a"'), {
    code: '23505',
    detail: 'Key (name)=(Canary Person) already exists.',
    where: 'Canary Person',
  });
  const [line] = linesOf((log) => log.error({ err: error }, 'refused'));
  const { type, stack } = line!.details['err'] as Record<string, string>;
  assert.ok(!JSON.stringify(line).includes('Canary'));
  assert.equal(type, 'Error');
  assert.match(stack ?? '', /line\.test\.ts/);
});

test('C-1003 whatever is logged is kept within its bounds, without what a database refuses', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '\uD800', 'x'.repeat(9_000), 'ə'.repeat(3_000)),
  );
  fc.assert(
    fc.property(text, fc.dictionary(text, fc.jsonValue()), text, (message, details, more) => {
      const line = aLine({
        level: 'info',
        source: message,
        message,
        userId: null,
        details: { ...details, more, nested: { more, list: [more, more] } },
        atMs: 0,
      });
      const json = JSON.stringify(line.details);
      assert.ok(line.source.length <= 40 && line.message.length <= 1_000);
      assert.ok(json.length <= 4_000, String(json.length));
      assert.ok(!json.includes(String.raw`\u0000`) && !line.message.includes('\0'));
      assert.ok(line.message.isWellFormed() && !/\\ud[89a-f]/i.test(json));
    }),
  );
});
