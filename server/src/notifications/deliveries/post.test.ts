/** One try to post, to a receiver on loopback that misbehaves, and to addresses that are never dialed. */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { after, before, beforeEach, test } from 'node:test';
import { closeHttp, listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { isAllowed, type AddressPolicy } from '#media/protocol/address-policy.ts';
import { certificateFolder } from '#testing/certificates.ts';
import { aClock } from '#testing/clock.ts';
import { aWebhookPolicy } from '#testing/webhook-policy.ts';
import {
  webhookReceiver,
  type Behaviour,
  type WebhookReceiver,
} from '#testing/webhook-receiver.ts';
import { maxAnswerBytes, post, timeoutMs, type Dialing } from './post.ts';

let receiver: WebhookReceiver;
const clock = aClock();

before(async () => {
  receiver = await webhookReceiver();
});
after(() => receiver[Symbol.asyncDispose]());
beforeEach(() => {
  receiver.received.length = 0;
});

const allowedBy =
  (policy: AddressPolicy): Dialing['allows'] =>
  (address, port) =>
    isAllowed(address, port, policy);

const posted = (url: string, more: Partial<Dialing> = {}) =>
  post(
    { url: new URL(url), headers: { 'webhook-id': 'one' }, body: '{}' },
    {
      allows: allowedBy(aWebhookPolicy(true)),
      clock,
      signal: new AbortController().signal,
      ...more,
    },
  );

async function answerTo(behaviour: Behaviour) {
  receiver.behaviours = [behaviour];
  const { status, fault } = await posted(receiver.url);
  return { status, fault };
}

test('what the receiver answers is the status, and a fault that says why it was not taken', async () => {
  assert.deepEqual(await answerTo(200), { status: 200, fault: null });
  assert.deepEqual(await answerTo(204), { status: 204, fault: null });
  assert.deepEqual(await answerTo(400), { status: 400, fault: 'status' });
  assert.deepEqual(await answerTo(500), { status: 500, fault: 'status' });
  assert.deepEqual(await answerTo(410), { status: 410, fault: 'gone' });
});

test('a redirect is a fault, and nothing is sent to where it leads', async () => {
  assert.deepEqual(await answerTo('redirect'), { status: 307, fault: 'redirected' });
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/'],
  );
});

test('of an answer of 10 MB 64 kB are read', async () => {
  assert.deepEqual(await answerTo('flood'), { status: 200, fault: null });
  assert.ok(receiver.sentBytes >= maxAnswerBytes);
  // The rest is what the system holds ready, and no one reads.
  assert.ok(receiver.sentBytes < 10 * 1024 * 1024, `${receiver.sentBytes} bytes`);
});

test('a receiver that does not answer is given up after 10 seconds', async () => {
  receiver.behaviours = ['hang'];
  const answer = posted(receiver.url);
  await receiver.came(1);
  clock.advance(timeoutMs - 1);
  receiver.behaviours = [200];
  assert.equal((await posted(receiver.url)).fault, null);
  clock.advance(1);
  assert.deepEqual(await answer, { status: null, fault: 'timeout', tookMs: timeoutMs });
});

test('a try that is ended by its server throws, and says nothing of the receiver', async () => {
  receiver.behaviours = ['hang'];
  const stop = new AbortController();
  const answer = posted(receiver.url, { signal: stop.signal });
  await receiver.came(1);
  stop.abort();
  await assert.rejects(answer, { name: 'AbortError' });
});

test('C-510 this machine, the link and metadata are refused before anything is dialed', async () => {
  const refused = { status: null, fault: 'address_refused', tookMs: 0 };
  const allows = allowedBy(aWebhookPolicy(false));
  const { port } = receiver;
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']) {
    assert.deepEqual(await posted(`http://${host}:${port}/`, { allows }), refused, host);
  }
  const never = ['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '[fd00:ec2::23]', '0.0.0.0'];
  for (const host of [...never, '100.100.100.200', '224.0.0.1']) {
    assert.deepEqual(await posted(`http://${host}/`), refused, host);
  }
  assert.equal(receiver.received.length, 0);
});

test('C-510 one forbidden address of a name is enough to refuse it', async () => {
  const resolve = async () => ['127.0.0.1', '169.254.169.254'];
  const { fault } = await posted(`http://hooks.example.org:${receiver.port}/`, { resolve });
  assert.equal(fault, 'address_refused');
  assert.equal(receiver.received.length, 0);
});

test('C-510 a name is resolved once: what it changes to in between is not dialed', async () => {
  await using other = await webhookReceiver();
  const answers = ['127.0.0.1', '169.254.169.254'];
  let asked = 0;
  const resolve = async () => [answers[asked++]!];
  const url = `http://hooks.example.org:${receiver.port}/`;
  receiver.behaviours = [200];
  assert.equal((await posted(url, { resolve })).fault, null);
  assert.equal(asked, 1);
  assert.equal(receiver.received[0]!.headers['host'], `hooks.example.org:${receiver.port}`);
  assert.equal((await posted(url, { resolve })).fault, 'address_refused');
  assert.equal(other.received.length, 0);
});

test('ports of Nazar on this machine are refused also where this machine is allowed', async () => {
  const allows = allowedBy({ ...aWebhookPolicy(true), ownPorts: [receiver.port] });
  assert.equal((await posted(receiver.url, { allows })).fault, 'address_refused');
});

test('an unknown name, a closed port and a certificate that is not trusted have faults of their own', async () => {
  const resolve = async (): Promise<string[]> => {
    throw new Error('ENOTFOUND');
  };
  assert.equal((await posted('http://nowhere.example.org/', { resolve })).fault, 'name_unknown');
  await using gone = await webhookReceiver();
  await gone[Symbol.asyncDispose]();
  assert.equal((await posted(gone.url)).fault, 'unreachable');
  using folder = certificateFolder();
  const pair = await folder.make(['localhost']);
  const server = createServer(pair, (_request, response) => response.end());
  const port = await listenOnLoopback(server);
  assert.equal((await posted(`https://127.0.0.1:${port}/`)).fault, 'certificate_refused');
  await closeHttp(server);
});
