/**
 * Encrypts values that must not be readable in the database, in a backup or on a stolen disk.
 *
 * A sealed value is AES-256-GCM: version (1 byte) · nonce (12) · tag (16) · ciphertext. The place it
 * belongs to (table, column, row) is authenticated with it, so a value moved to another row does not open.
 * The master key is a file of its own, 0600, never in the database and never in its backup. It opens the
 * root key (`db/root-key.ts`), from which the keys of modules are derived. Data keys of identities are sealed
 * under one of those, and images under the data keys.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** The sealed value does not open: another key, another row, or damaged bytes. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

export class SecretKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== keyBytes) throw new RangeError(`a key has ${keyBytes} bytes`);
    this.#key = key;
  }

  static random(): SecretKey {
    return new SecretKey(randomBytes(keyBytes));
  }

  /** `place` names where the value lives, e.g. `camera.password:<id>`. */
  seal(plain: Uint8Array, place: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws SealBroken. */
  open(sealed: Uint8Array, place: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] !== version) throw new SealBroken(`unknown seal at ${place}`);
    const tagStart = 1 + nonceBytes;
    if (bytes.length < tagStart + tagBytes) throw new SealBroken(`cut off at ${place}`);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(1, tagStart));
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(tagStart, tagStart + tagBytes));
    try {
      return Buffer.concat([
        decipher.update(bytes.subarray(tagStart + tagBytes)),
        decipher.final(),
      ]);
    } catch (error) {
      throw new SealBroken(`cannot open ${place}`, { cause: error });
    }
  }

  sealText(plain: string, place: string): Buffer {
    return this.seal(Buffer.from(plain), place);
  }

  openText(sealed: Uint8Array, place: string): string {
    return this.open(sealed, place).toString('utf8');
  }

  /** Writes a file that only our user may read; it is on the disk when this returns. Throws EEXIST. */
  writeTo(path: string): void {
    const file = openSync(path, 'wx', 0o600);
    try {
      writeSync(file, this.#key);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Reads a file with 32 bytes; throws RangeError for another length. */
  static readFrom(path: string): SecretKey {
    return new SecretKey(readFileSync(path));
  }

  /** This key sealed under another one, for storage. */
  sealedBy(master: SecretKey, place: string): Buffer {
    return master.seal(this.#key, place);
  }

  static openedBy(master: SecretKey, sealed: Uint8Array, place: string): SecretKey {
    return new SecretKey(master.open(sealed, place));
  }

  /** A key of its own for one purpose; keys of different purposes say nothing about each other. */
  derive(purpose: string): SecretKey {
    return new SecretKey(Buffer.from(hkdfSync('sha256', this.#key, '', purpose, keyBytes)));
  }

  /** An Ed25519 pair derived from this key: code that has the public key can check what the private key signs. */
  signingPair(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
    // The PKCS #8 form of such a key is these bytes followed by the key (RFC 8410).
    const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), this.#key]);
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return { privateKey, publicKey: createPublicKey(privateKey) };
  }

  sign(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }

  verify(text: string, signature: Uint8Array): boolean {
    const expected = this.sign(text);
    return signature.length === expected.length && timingSafeEqual(expected, signature);
  }
}

/**
 * The key pair that signs the files that leave this installation, so that one public key checks all of them: exports of
 * recordings, which were the first, and the results of verifying the activity log.
 */
export const signingPairOf = (master: SecretKey): ReturnType<SecretKey['signingPair']> =>
  master.derive('recordings').signingPair();

/** Base64 of SPKI. */
export const publicKeyText = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * Reads the master key, and makes it at the first start. Two processes that start together end up with the same
 * key: the file appears whole or not at all, and only once.
 */
export function openMasterKey(path: string): SecretKey {
  try {
    return SecretKey.readFrom(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const draft = `${path}.${process.pid}`;
  SecretKey.random().writeTo(draft);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return SecretKey.readFrom(path);
}
