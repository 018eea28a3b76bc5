/** Certificates as an administrator would bring them: made for the test, in a folder of its own. */
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
