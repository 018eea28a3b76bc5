/**
 * A passkey authenticator in software: ES256 keys, discoverable, its user verified by nothing. What a browser adds
 * (client data with the page's origin) is added here, too, so that a test can lie in any part of it.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Assertion, Attestation } from '@nazar/contract/webauthn.ts';

interface Held {
  readonly id: Buffer;
  readonly host: string;
  readonly handle: string;
  readonly key: KeyObject;
  counter: number;
}

/** What is not as an honest authenticator on an honest page would make it. */
export interface Lies {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly challenge?: string;
  /** No user typed a PIN or showed a finger. */
  readonly unverified?: boolean;
  /** The signature counter; one that is lower than before reveals a copy of the key. */
  readonly counter?: number;
  readonly handle?: string;
  readonly id?: Buffer;
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}
interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

export class Authenticator {
  readonly #held: Held[] = [];
  /** Where the page is that asks. */
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Null when there is nothing that the page may use. */
  get(asked: object, lies: Lies = {}): Assertion | null {
    const { rpId, challenge, allowCredentials = [] } = asked as RequestOptions;
    const allowed = allowCredentials.map(({ id }) => id);
    const held = this.#held.find(
      ({ host, id }) =>
        host === rpId && (allowed.length === 0 || allowed.includes(id.toString('base64url'))),
    );
    if (!held) return null;
    held.counter = lies.counter ?? held.counter + 1;
    const clientData = this.#clientData('webauthn.get', challenge, lies);
    const data = authenticatorData(lies.host ?? rpId, held.counter, lies);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const id = (lies.id ?? held.id).toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, held.key).toString('base64url'),
        userHandle: lies.handle ?? held.handle,
      },
    };
  }

  create(asked: object, lies: Lies = {}): Attestation {
    const { rp, user, challenge } = asked as CreationOptions;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = lies.id ?? randomBytes(32);
    const held = { id, host: rp.id, handle: user.id, key: privateKey, counter: 0 };
    this.#held.push(held);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(id.length);
    const data = Buffer.concat([
      authenticatorData(lies.host ?? rp.id, 0, lies, flags.attested),
      Buffer.alloc(16), // the make of the authenticator: not given
      size,
      id,
      coseKey(publicKey),
    ]);
    const attestation = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(data)],
      ]),
    );
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const { origin = this.#origin } = lies;
    return Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }
}

function authenticatorData(host: string, counter: number, lies: Lies, more = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags.present | (lies.unverified ? 0 : flags.verified) | more;
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(host).digest(), head]);
}

/** RFC 9052: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1). */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  );
}
