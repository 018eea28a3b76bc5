/**
 * A self-signed certificate for a network without a certificate authority: ECDSA P-256, for the names
 * and addresses of this machine, kept with its key in the data folder (0600). Browsers warn about it once; comparing
 * the fingerprint with the printed one proves that no one sits in between.
 */
import 'reflect-metadata'; // what @peculiar/x509 asks for before it is loaded
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { CertificatePair } from './certificate.ts';

const dayMs = 24 * 60 * 60_000;
/** Browsers accept no certificate that is valid for longer than 398 days. */
const validMs = 397 * dayMs;
/** A new one is made while the old one still has this long. */
const renewBeforeMs = 30 * dayMs;
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export interface Names {
  /** The names that the administrator set: a certificate without one of them is replaced. */
  readonly named: readonly string[];
  /** Addresses this machine happens to have: a new one alone is no reason for a new warning in every browser. */
  readonly found: readonly string[];
}

/** The certificate in the folder while it is valid, else a new one. */
export async function selfSigned(
  folder: string,
  names: Names,
  nowMs: number,
): Promise<CertificatePair> {
  const kept = await read(folder);
  if (kept && isGood(kept, names.named, nowMs)) return kept;
  const made = await make([...new Set([...names.named, ...names.found])], nowMs);
  await keep(folder, made);
  return made;
}

/** Certificate and key in one file, so that there is never one of them without the other. */
const fileIn = (folder: string): string => join(folder, 'self-signed.pem');

async function read(folder: string): Promise<CertificatePair | null> {
  try {
    const text = await readFile(fileIn(folder), 'utf8');
    const [cert = '', key = ''] =
      text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
    return cert.includes('CERTIFICATE') && key.includes('PRIVATE KEY') ? { cert, key } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isGood({ cert }: CertificatePair, named: readonly string[], nowMs: number): boolean {
  const parsed = new X509Certificate(cert);
  const lastsMs = parsed.validToDate.getTime() - nowMs;
  const covers = (name: string): boolean =>
    (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined;
  return lastsMs > renewBeforeMs && parsed.validFromDate.getTime() <= nowMs && named.every(covers);
}

async function make(names: readonly string[], nowMs: number): Promise<CertificatePair> {
  const keys = await webcrypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    // The same words for every installation: any client that connects can read a certificate.
    name: 'CN=Nazar',
    notBefore: new Date(nowMs - dayMs), // clocks of browsers that go slow
    notAfter: new Date(nowMs + validMs - dayMs),
    signingAlgorithm: { ...curve, hash: 'SHA-256' },
    keys: keys as CryptoKeyPair, // types of Node and of the browser name one thing
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }) as const),
      ),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = key.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----`,
  };
}

async function keep(folder: string, { cert, key }: CertificatePair): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${fileIn(folder)}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${cert}\n${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, fileIn(folder));
}
