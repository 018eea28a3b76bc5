import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { pino } from 'pino';
import { Refusal } from '#lib/refusal.ts';
import { certificateFolder } from '#testing/certificates.ts';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { Certificate, certificateFiles, type CertificatePair } from './certificate.ts';
import { selfSigned } from './self-signed.ts';

const log = pino({ level: 'silent' });
const dayMs = 24 * 60 * 60_000;

/** One request by a client that trusts exactly this certificate. */
async function ask(pair: CertificatePair, servername: string): Promise<number | undefined> {
  await using server = createServer(pair, (_request, reply) => void reply.end());
  const port = await listenOnLoopback(server);
  const asked = get({ host: '127.0.0.1', port, servername, ca: pair.cert, agent: false });
  const [reply] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
  reply.resume();
  return reply.statusCode;
}

test('C-707, C-1105 a certificate of our own is P-256, for names and addresses, in a file of 0600', async () => {
  using folder = certificateFolder();
  const path = join(folder.path, 'tls');
  const names = { named: ['localhost', '127.0.0.1', '::1'], found: ['192.168.7.9', 'box.local'] };
  const pair = await selfSigned(path, names, Date.now());
  const parsed = new X509Certificate(pair.cert);
  for (const ip of ['127.0.0.1', '::1', '192.168.7.9']) assert.ok(parsed.checkIP(ip), ip);
  for (const name of ['localhost', 'box.local']) assert.ok(parsed.checkHost(name), name);
  assert.equal(parsed.checkHost('example.org'), undefined);
  assert.equal(parsed.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(statSync(join(path, 'self-signed.pem')).mode & 0o777, 0o600);
  assert.equal(statSync(path).mode & 0o777, 0o700);
  const days = (parsed.validToDate.getTime() - parsed.validFromDate.getTime()) / dayMs;
  assert.ok(days <= 398, `${days} days`);
  assert.equal(await ask(pair, 'localhost'), 200);
  await assert.rejects(ask(pair, 'example.org'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('C-1105 it is kept over starts, and made anew before it ends or when a name is missing', async () => {
  using folder = certificateFolder();
  const nowMs = Date.now();
  const names = { named: ['localhost'], found: ['10.0.0.5'] };
  const first = await selfSigned(folder.path, names, nowMs);
  const later = await selfSigned(
    folder.path,
    { ...names, found: ['10.0.0.6'] },
    nowMs + 300 * dayMs,
  );
  assert.deepEqual(later, first, 'another address on the network alone is no reason for a new one');
  const ending = await selfSigned(folder.path, names, nowMs + 367 * dayMs);
  assert.notEqual(ending.cert, first.cert);
  const renamed = await selfSigned(
    folder.path,
    { ...names, named: ['localhost', 'cams.example.org'] },
    nowMs + 367 * dayMs,
  );
  assert.notEqual(renamed.cert, ending.cert);
  assert.ok(new X509Certificate(renamed.cert).checkHost('cams.example.org'));
  writeFileSync(join(folder.path, 'self-signed.pem'), 'cut off');
  const again = await selfSigned(folder.path, names, nowMs);
  assert.equal(
    readFileSync(join(folder.path, 'self-signed.pem'), 'utf8'),
    `${again.cert}\n${again.key}\n`,
  );
});

test('C-707 a certificate that cannot be used is refused with one sentence, and no word of the key', async () => {
  using folder = certificateFolder();
  const pair = await folder.make(['localhost']);
  const other = await folder.make(['localhost']);
  const cases: [string, RegExp, CertificatePair][] = [
    ['not PEM', /is not a certificate in PEM/, { ...pair, cert: 'hello' }],
    ['no key', /is not a private key in PEM/, { ...pair, key: pair.cert }],
    ['of another', /does not belong to the certificate/, { ...pair, key: other.key }],
  ];
  for (const [name, sentence, bad] of cases) {
    folder.write(bad);
    await assert.rejects(
      Certificate.open(certificateFiles(folder.cert, folder.key), aClock(), log),
      (error: unknown) => {
        assert.ok(error instanceof Refusal, name);
        assert.match(error.message, sentence, name);
        assert.ok(!error.message.includes(bad.key.slice(40, 80)), name);
        return true;
      },
    );
  }
  await assert.rejects(
    Certificate.open(certificateFiles('/nowhere/cert.pem', folder.key), aClock(), log),
    /NAZAR_TLS_CERT=\/nowhere\/cert.pem cannot be read \(ENOENT\)/,
  );
});

test('C-707 new files are taken within a minute; until they fit, the certificate in use stays', async () => {
  using folder = certificateFolder();
  const clock = aClock(Date.now());
  const [first, second] = [await folder.make(['localhost']), await folder.make(['localhost'])];
  folder.write(first);
  let checks = 0;
  const files = certificateFiles(folder.cert, folder.key);
  const counted = {
    ...files,
    read: async () => {
      const pair = await files.read();
      checks += 1;
      return pair;
    },
  };
  await using certificate = await Certificate.open(counted, clock, log);
  const changes: CertificatePair[] = [];
  using _ = certificate.changed.on((pair) => changes.push(pair));
  const look = async (): Promise<void> => {
    const before = checks;
    clock.advance(60_000);
    await until(() => checks > before);
    await new Promise(setImmediate);
  };
  writeFileSync(folder.cert, second.cert); // the key is not there yet
  await look();
  assert.equal(certificate.pair.cert, first.cert);
  writeFileSync(folder.key, second.key);
  await look();
  assert.equal(certificate.pair.cert, second.cert);
  await look();
  assert.deepEqual(changes, [second], 'told once');
  assert.match(certificate.fingerprint, /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

test('C-707 files on a disk that hangs hold up neither the server nor its end', async () => {
  using folder = certificateFolder();
  const clock = aClock(Date.now());
  const [first, second] = [await folder.make(['localhost']), await folder.make(['localhost'])];
  folder.write(first);
  const files = certificateFiles(folder.cert, folder.key);
  let reads = 0;
  const counted = { ...files, read: () => ((reads += 1), files.read()) };
  const certificate = await Certificate.open(counted, clock, log);
  // Opening a FIFO waits for a writer.
  rmSync(folder.cert);
  execFileSync('mkfifo', [folder.cert]);
  writeFileSync(folder.key, second.key);
  clock.advance(60_000);
  await until(() => reads === 2);
  await certificate[Symbol.asyncDispose]();
  await writeFile(folder.cert, second.cert);
  assert.equal(certificate.pair.cert, first.cert, 'what comes after the end is not taken');
});
