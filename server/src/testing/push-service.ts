/** A push service on loopback, over TLS, and devices whose messages it decrypts as a browser would (RFC 8291, RFC 8188). */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { PushDeviceFields, PushMessage } from '@nazar/contract/push.ts';
import { closeHttp, listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { certificateFolder } from './certificates.ts';

export interface PushedMessage {
  readonly device: string;
  readonly headers: IncomingMessage['headers'];
  /** As it travelled. */
  readonly body: Buffer;
  readonly message: PushMessage;
  /** What the signed token says of its sender. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
}

export interface PushService extends AsyncDisposable {
  readonly origin: string;
  /** What another process has to trust. */
  readonly certificate: string;
  readonly received: PushedMessage[];
  /** What it answers, by the name of the device; 201 where nothing is said. */
  readonly answers: Map<string, number>;
  /** A subscription that this service would give a browser. */
  device(name: string): PushDeviceFields;
}

/** `host`: as its certificate names it. */
export async function pushService(host = 'localhost'): Promise<PushService> {
  using folder = certificateFolder();
  const pair = await folder.make([host]);
  setDefaultCACertificates([...getCACertificates('default'), pair.cert]);
  const keys = new Map<string, DeviceKeys>();
  const received: PushedMessage[] = [];
  const answers = new Map<string, number>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const device = (request.url ?? '').slice('/push/'.length);
    const body = await buffer(request);
    const status = answers.get(device) ?? 201;
    const { headers } = request;
    const claims = claimsOf(String(headers.authorization));
    const message = JSON.parse(opened(body, keys.get(device)!)) as PushMessage;
    received.push({ device, headers, body, message, claims });
    response.writeHead(status).end();
  };
  const server = createServer(pair, (request, response) => {
    // A message that cannot be opened is one that a browser would drop.
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  const port = await listenOnLoopback(server);
  const origin = `https://${host}:${port}`;
  return {
    origin,
    certificate: pair.cert,
    received,
    answers,
    device(name) {
      const made = keys.get(name) ?? newKeys();
      keys.set(name, made);
      const p256dh = made.ecdh.getPublicKey('base64url');
      const auth = made.auth.toString('base64url');
      const endpoint = `${origin}/push/${name}`;
      return { endpoint, p256dh, auth, name: `Browser ${name}`, only_renew: false };
    },
    [Symbol.asyncDispose]: () => closeHttp(server),
  };
}

interface DeviceKeys {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
}

function newKeys(): DeviceKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** One record: salt (16), size of a record (4), length of the key (1), the sender's public key, ciphertext and tag (16). */
function opened(body: Buffer, { ecdh, auth }: DeviceKeys): string {
  const salt = body.subarray(0, 16);
  const keyEnds = 21 + body[20]!;
  const sender = body.subarray(21, keyEnds);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derived(ecdh.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(keyEnds, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Throws where the signature is not one of the key that is sent beside it (RFC 8292). */
function claimsOf(authorization: string): PushedMessage['claims'] {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token is not signed by the key beside it');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as PushedMessage['claims'];
}
