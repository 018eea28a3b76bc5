/** Certificates as an administrator would bring them: made for the test, in a folder of its own. */
import 'reflect-metadata'; // what @peculiar/x509 asks for before it is loaded
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { KeyObject, webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificatePair } from '#http/certificate.ts';
import { selfSigned } from '#http/self-signed.ts';

export interface CertificateFolder extends Disposable {
  readonly path: string;
  readonly cert: string;
  readonly key: string;
  /** Another pair, made for these names at that time. */
  make(names: readonly string[], nowMs?: number): Promise<CertificatePair>;
  write(pair: CertificatePair): void;
}

export function certificateFolder(): CertificateFolder {
  const path = mkdtempSync(join(tmpdir(), 'nazar-tls-'));
  const cert = join(path, 'cert.pem');
  const key = join(path, 'key.pem');
  let made = 0;
  return {
    path,
    cert,
    key,
    make: (named, nowMs = Date.now()) =>
      selfSigned(join(path, `made-${(made += 1)}`), { named, found: [] }, nowMs),
    write(pair) {
      writeFileSync(cert, pair.cert);
      writeFileSync(key, pair.key);
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A certificate with a key of RSA, as many authorities still sign them; Nazar itself makes none. */
export async function rsaCertificate(address: string): Promise<CertificatePair> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(
    { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Nazar',
    signingAlgorithm: algorithm,
    keys: keys as CryptoKeyPair, // types of Node and of the browser name one thing
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: certificate.toString('pem'), key: String(key) };
}
