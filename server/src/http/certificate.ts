/**
 * The certificate with which this server proves its identity over TLS: the administrator's, read again when its
 * files change, or a self-signed one (`self-signed.ts`), renewed in time. Knows nothing of requests.
 * At the start, a pair that does not match is refused with a sentence; later the one in use stays in use.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { Topic } from '#lib/topic.ts';

/** Both as PEM; `cert` includes the intermediate certificates, its own first. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateSource {
  /** For the log and for refusals. */
  readonly name: string;
  readonly isSelfSigned: boolean;
  /** Throws a Refusal. */
  readonly read: () => Promise<CertificatePair>;
}

/** How often the files are checked for changes; certificates are renewed about every 60 days. */
const lookEveryMs = 60_000;

export class Certificate implements AsyncDisposable {
  readonly changed: Topic<CertificatePair>;
  readonly isSelfSigned: boolean;
  readonly #source: CertificateSource;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #pair: CertificatePair;
  /** The last fault, so that it is logged once. */
  #fault: string | null = null;

  private constructor(source: CertificateSource, pair: CertificatePair, clock: Clock, log: Log) {
    this.#source = source;
    this.#pair = pair;
    this.#clock = clock;
    this.#log = log;
    this.isSelfSigned = source.isSelfSigned;
    this.changed = new Topic((error) =>
      log.error({ err: error }, 'a new certificate was not taken'),
    );
    this.#warnOfDates();
    void this.#keepLooking();
  }

  /** Throws a Refusal when the pair cannot be used. */
  static async open(source: CertificateSource, clock: Clock, log: Log): Promise<Certificate> {
    const pair = await source.read();
    checkPair(pair, source.name);
    return new Certificate(source, pair, clock, log);
  }

  get pair(): CertificatePair {
    return this.#pair;
  }

  /** SHA-256 as browsers show it: `AB:CD:...`. */
  get fingerprint(): string {
    return new X509Certificate(this.#pair.cert).fingerprint256;
  }

  /** Waits for nothing: the files may lie on a disk that hangs. A pair that is read after this is ignored. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#clock.wait(lookEveryMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    try {
      const pair = await this.#source.read();
      if (this.#stop.signal.aborted) return;
      if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
      checkPair(pair, this.#source.name);
      this.#pair = pair;
      this.#fault = null;
      this.#log.info({ fingerprint: this.fingerprint }, 'a new certificate is in use');
      this.#warnOfDates();
      this.changed.publish(pair);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      // Files are replaced one after the other: the next check may find a complete pair.
      if (fault !== this.#fault) this.#log.warn({ fault }, 'the certificate in use stays in use');
      this.#fault = fault;
    }
  }

  /** Not a reason to refuse: a server that does not start records nothing. */
  #warnOfDates(): void {
    const { validFromDate, validToDate } = new X509Certificate(this.#pair.cert);
    const now = this.#clock.now();
    if (validToDate.getTime() >= now && validFromDate.getTime() <= now) return;
    this.#log.warn({ from: validFromDate, until: validToDate }, 'the certificate is not valid now');
  }
}

export function certificateFiles(certFile: string, keyFile: string): CertificateSource {
  return {
    name: certFile,
    isSelfSigned: false,
    read: async () => ({
      cert: await readNamed('NAZAR_TLS_CERT', certFile),
      key: await readNamed('NAZAR_TLS_KEY', keyFile),
    }),
  };
}

async function readNamed(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`${variable}=${path} cannot be read (${code}).`, { cause: error });
  }
}

/** Throws a Refusal that says what is wrong with the pair; the sentence contains no part of the key. */
function checkPair({ cert, key }: CertificatePair, name: string): void {
  const parsed = orRefuse(
    () => new X509Certificate(cert),
    `${name} is not a certificate in PEM (-----BEGIN CERTIFICATE-----).`,
  );
  const secret: KeyObject = orRefuse(
    () => createPrivateKey(key),
    `The key of ${name} is not a private key in PEM, or it is protected by a password; Nazar reads keys without one.`,
  );
  if (!parsed.checkPrivateKey(secret)) {
    throw new Refusal(
      `The key does not belong to the certificate ${name}; the certificate of the server itself must be the first in its file.`,
    );
  }
  orRefuse(
    () => createSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    `The certificate ${name} cannot be used for TLS: its key is too weak, or a certificate in its file is broken.`,
  );
}

function orRefuse<R>(work: () => R, sentence: string): R {
  try {
    return work();
  } catch (error) {
    throw new Refusal(sentence, { cause: error });
  }
}
