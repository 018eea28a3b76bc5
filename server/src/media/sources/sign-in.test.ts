/** Passwords of every form reach a camera as they are, by Basic and by Digest. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { passwordForms } from '#testing/passwords.ts';
import { credentialsOf } from './digest.ts';
import { getFrom } from './http-get.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
/** Headers come byte by byte. */
const utf8 = (text = ''): string => Buffer.from(text, 'latin1').toString();

/** Whether a request is signed with that user name and password, as the camera computes it. */
function isSigned({ headers, url }: IncomingMessage, username: string, password: string): boolean {
  const sent = utf8(headers.authorization);
  if (sent.startsWith('Basic ')) {
    return Buffer.from(sent.slice(6), 'base64').toString() === `${username}:${password}`;
  }
  const part = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(sent)?.[1] ?? '';
  const expected = md5(`${md5(`${username}:cam:${password}`)}:n:${md5(`GET:${url}`)}`);
  return part('username') === username && part('response') === expected;
}

for (const challenge of ['Basic realm="cam"', 'Digest realm="cam", nonce="n"']) {
  test(`C-512 passwords of 40 forms are sent as they are by ${challenge.split(' ')[0]}`, async (t) => {
    let known = { username: '', password: '' };
    const server = createServer((request, reply) => {
      const isRight = isSigned(request, known.username, known.password);
      reply.writeHead(isRight ? 200 : 401, { 'www-authenticate': challenge }).end('x');
    });
    t.after(() => server.close());
    const port = await listenOnLoopback(server);
    const policy = { allowLoopback: true, networks: [], ownPorts: [], ownAddresses: [] };
    const { signal } = new AbortController();
    const context = { dialer: { policy }, fileRoots: [], signal };
    const url = new URL(`http://127.0.0.1:${port}/s?a=1`);
    const users = ['admin', 'ad/min@x', 'əли'];
    for (const [n, password] of passwordForms('Canary4711Canary').entries()) {
      const camera = { type: 'http', url: url.href, certificate: '' } as const;
      known = { username: users[n % users.length]!, password };
      const answer = await getFrom(url, credentialsOf({ ...camera, ...known }, url), context);
      assert.equal(answer.statusCode, 200, password);
      answer.destroy();
    }
  });
}
