import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#lib/refusal.ts';
import { readConfig, redacted } from './config.ts';

function refusal(environment: NodeJS.ProcessEnv): string {
  let sentence = '';
  assert.throws(
    () => readConfig(environment),
    (error: unknown) => {
      if (error instanceof Refusal) sentence = error.message;
      return error instanceof Refusal;
    },
  );
  return sentence;
}

test('with nothing set it serves one machine on loopback', () => {
  const config = readConfig({ PATH: '/bin' });
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.equal(config.databaseUrl, null);
  assert.deepEqual(config.roles, ['api', 'media', 'vision']);
  assert.ok(config.visionHosts >= 1);
  assert.ok(Object.isFrozen(config));
});

test('an empty variable is an absent one', () => {
  assert.deepEqual(
    readConfig({ NAZAR_PORT: '', DATABASE_URL: '', REGISTRATION: '' }),
    readConfig({}),
  );
});

test('each mistake is one sentence, all of them at once', () => {
  const sentences = refusal({
    NAZAR_PORT: '80a',
    NAZAR_LOG: 'loud',
    NAZAR_ROLES: 'api,boss',
    CAMERA_ALLOW_LOOPBACK: 'yes',
    NAZAR_VISION_HOSTS: '0',
  }).split('\n');
  const names = [
    'NAZAR_PORT',
    'NAZAR_ROLES',
    'NAZAR_LOG',
    'CAMERA_ALLOW_LOOPBACK',
    'NAZAR_VISION_HOSTS',
  ];
  assert.deepEqual(
    sentences.map((sentence) => sentence.split(' ')[0]),
    names,
  );
  assert.match(refusal({ NAZAR_PORT: '65536' }), /NAZAR_PORT must be 0 to 65535/);
  assert.match(refusal({ NAZAR_ROLES: ' , ' }), /names no role/);
  assert.match(refusal({ NAZAR_ROLES: 'api,vision' }), /share the work among machines/);
  assert.deepEqual(readConfig({ NAZAR_ROLES: 'vision,media,api' }).roles.length, 3);
});

test('nothing beyond loopback without a proxy that does TLS', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'cams.example']) {
    assert.match(refusal({ NAZAR_HOST: host }), /NAZAR_TRUST_PROXY/);
    const behind = readConfig({ NAZAR_HOST: host, NAZAR_TRUST_PROXY: '10.0.0.1, 10.0.0.2' });
    assert.deepEqual(behind.trustProxy, ['10.0.0.1', '10.0.0.2']);
  }
  for (const host of ['127.0.0.1', 'localhost', '::1']) assert.ok(readConfig({ NAZAR_HOST: host }));
});

test('C-707, C-1105 TLS of our own lets it listen anywhere; half a certificate is none', () => {
  const own = readConfig({ NAZAR_HOST: '0.0.0.0', NAZAR_TLS: 'self-signed' });
  assert.deepEqual(own.tls, { kind: 'self-signed' });
  const files = { NAZAR_TLS_CERT: '/etc/c.pem', NAZAR_TLS_KEY: '/etc/k.pem' };
  assert.deepEqual(readConfig({ NAZAR_HOST: '::', ...files }).tls, {
    kind: 'files',
    cert: '/etc/c.pem',
    key: '/etc/k.pem',
  });
  assert.match(refusal({ NAZAR_TLS_CERT: '/etc/c.pem' }), /set both/);
  assert.match(refusal({ NAZAR_TLS: 'self-signed', ...files }), /either/);
  assert.match(refusal({ NAZAR_TLS: 'yes' }), /NAZAR_TLS must be self-signed/);
  assert.equal(readConfig({}).tls, null);
});

test('C-604 the printed configuration holds no password', () => {
  const config = readConfig({
    DATABASE_URL: 'postgresql://nazar:s3cret@db:5432/nazar?password=s3cret',
    SMTP_URL: 'smtps://nazar:s3cret@mail.example.org',
    MAIL_FROM: 'nazar@example.org',
    NAZAR_PUBLIC_URL: 'https://nazar.example.org',
  });
  assert.ok(!JSON.stringify(redacted(config)).includes('s3cret'));
  assert.equal(redacted(config)['database'], 'db:5432/nazar');
  assert.equal(redacted(config)['mail'], 'mail.example.org:465');
});

test('mail is configured whole or not at all, and a wrong address is not repeated', () => {
  const whole = {
    SMTP_URL: 'smtps://mail.example.org',
    MAIL_FROM: 'Nazar <nazar@example.org>',
    NAZAR_PUBLIC_URL: 'https://nazar.example.org/',
  };
  const { mail, publicUrl } = readConfig(whole);
  assert.equal(mail?.origin, 'https://nazar.example.org');
  assert.equal(publicUrl, mail.origin);
  assert.equal(readConfig({ ...whole, SMTP_URL: '' }).mail, null);
  for (const name of ['MAIL_FROM', 'NAZAR_PUBLIC_URL']) {
    assert.match(refusal({ ...whole, [name]: '' }), /SMTP_URL needs MAIL_FROM/, name);
  }
  const secret = refusal({ ...whole, SMTP_URL: 'imap://nazar:s3cret@mail.example.org' });
  assert.ok(secret.startsWith('SMTP_URL') && !secret.includes('s3cret'));
  for (const from of ['nobody', 'A <a@b.org>\r\nBcc: c@d.org', 'a@b.org, c@d.org']) {
    assert.match(refusal({ ...whole, MAIL_FROM: from }), /^MAIL_FROM/, from);
  }
  for (const url of ['nazar.example.org', 'ftp://nazar.example.org', 'javascript:alert(1)']) {
    assert.match(refusal({ ...whole, NAZAR_PUBLIC_URL: url }), /^NAZAR_PUBLIC_URL/, url);
  }
});

test('a public address with a path, a question or an account is refused, not cut', () => {
  const at = (rest: string) => ({ NAZAR_PUBLIC_URL: `https://${rest}` });
  for (const rest of [
    'a.example/nazar',
    'a.example/nazar/',
    'a.example/?x',
    'a.example/#x',
    'b:c@a.example',
  ]) {
    const sentence = refusal(at(rest));
    assert.match(sentence, /^NAZAR_PUBLIC_URL must be the address alone.*below a path\.$/, rest);
    assert.ok(!sentence.includes(rest));
  }
  for (const rest of ['a.example', 'a.example/', 'a.example:8443', 'A.example:443']) {
    const { origin } = new URL(`https://${rest}`);
    assert.equal(readConfig(at(rest)).publicUrl, origin);
  }
});

test('C-510 networks of cameras and of push services are a list of networks, or the start is refused by name', () => {
  const { pushNetworks } = readConfig({ NAZAR_PUSH_NETWORKS: '10.0.0.0/24' });
  assert.deepEqual(pushNetworks, ['10.0.0.0/24']);
  const networks = (text: string) => readConfig({ NAZAR_CAMERA_NETWORKS: text }).cameraNetworks;
  assert.deepEqual(networks(''), []);
  assert.deepEqual(networks('100.64.0.0/10, fd7a:115c:a1e0::/48,'), [
    '100.64.0.0/10',
    'fd7a:115c:a1e0::/48',
  ]);
  for (const text of [
    '100.64.0.0',
    '100.64.0.0/33',
    '100.64/10',
    'fd7a::/129',
    'vpn/8',
    '10.0.0.0/8/8',
    '::1%lo/8',
    '1.2.3.4/-1',
  ]) {
    assert.match(
      refusal({ NAZAR_CAMERA_NETWORKS: text }),
      /^NAZAR_CAMERA_NETWORKS is a list/,
      text,
    );
    assert.match(refusal({ NAZAR_PUSH_NETWORKS: text }), /^NAZAR_PUSH_NETWORKS is a list/, text);
  }
});
