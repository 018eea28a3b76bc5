/**
 * Posts one message to a receiver. The name is resolved once, every address it has is judged, and one of these is
 * dialed, so that a name that changes in between gains nothing. Redirects are not followed, certificates are verified,
 * and at most 64 kB of the answer are read, within 10 s in all. Knows neither channels nor alerts.
 */
import { lookup as resolveName } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock } from '#lib/clock.ts';
import { destinationOf } from '#media/sources/dial/dial.ts';

/** Why a message was not taken. `status`: the receiver answered with another one than 2xx; `gone`: with 410. */
export type PostFaultKind =
  | 'status'
  | 'gone'
  | 'redirected'
  | 'timeout'
  | 'unreachable'
  | 'name_unknown'
  | 'address_refused'
  | 'certificate_refused';

export const timeoutMs = 10_000;
export const maxAnswerBytes = 64 * 1024;

export interface Message {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface Dialing {
  /** Judges each address that the name has; a port is part of it. */
  readonly allows: (address: string, port: number) => boolean;
  readonly clock: Clock;
  /** Ends the try: `post` throws then. */
  readonly signal: AbortSignal;
  /** Tests replace it by a name server that gives wrong answers. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

export interface Answer {
  /** Null: there was none. */
  readonly status: number | null;
  /** Null: it was taken (2xx). */
  readonly fault: PostFaultKind | null;
  readonly tookMs: number;
}

class PostFault extends Error {
  override readonly name = 'PostFault';
  readonly fault: PostFaultKind;

  constructor(fault: PostFaultKind, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/** Throws only when `signal` ended it. */
export async function post(message: Message, dialing: Dialing): Promise<Answer> {
  const { clock, signal } = dialing;
  const startedMs = clock.monotonicMs();
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  let status: number | null = null;
  const late = clock.wait(timeoutMs, either).then(() => {
    throw new PostFault('timeout');
  });
  late.catch(() => undefined);
  try {
    const sent = exchange(message, dialing, either, (came) => (status = came));
    sent.catch(() => undefined);
    await Promise.race([sent, late]);
    return { status, fault: faultOf(status), tookMs: tookMs(clock, startedMs) };
  } catch (error) {
    signal.throwIfAborted();
    // Its status says whether it was taken, however the rest of the answer ends.
    const fault = status === null ? (error as PostFault).fault : faultOf(status);
    return { status, fault: fault ?? 'unreachable', tookMs: tookMs(clock, startedMs) };
  } finally {
    over.abort();
  }
}

const tookMs = (clock: Clock, startedMs: number): number =>
  Math.round(clock.monotonicMs() - startedMs);

function faultOf(status: number | null): PostFaultKind | null {
  if (status === null) return 'unreachable';
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirected' : 'status';
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await resolveName(host, { all: true });
  return found.map(({ address }) => address);
}

async function exchange(
  { url, headers, body }: Message,
  { allows, resolve = addressesOf }: Dialing,
  signal: AbortSignal,
  came: (status: number) => void,
): Promise<void> {
  const { host, port } = destinationOf(url, 'http')!;
  const addresses = isIP(host)
    ? [host]
    : await resolve(host).catch((error: unknown) => {
        throw new PostFault('name_unknown', error);
      });
  if (addresses.length === 0) throw new PostFault('name_unknown');
  if (!addresses.every((address) => allows(address, port))) {
    throw new PostFault('address_refused');
  }
  signal.throwIfAborted();
  const done = Promise.withResolvers<void>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: resolvedTo(addresses),
    agent: false,
    signal,
  } as const;
  const outgoing = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options);
  outgoing.once('error', (error) => done.reject(new PostFault(faultOfError(error), error)));
  outgoing.once('response', (answer) => {
    came(answer.statusCode ?? 0);
    let bytes = 0;
    answer.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes >= maxAnswerBytes) outgoing.destroy();
    });
    answer.on('error', () => undefined);
    answer.once('close', () => done.resolve());
  });
  outgoing.end(body);
  await done.promise;
}

/** The addresses that were judged, whatever the name resolves to by now. */
const resolvedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, answer) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) answer(null, found);
    else answer(null, found[0]!.address, found[0]!.family);
  };

/** Codes of OpenSSL and Node for a certificate that is not trusted. */
const ofCertificate = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER|INVALID_CA|CRL|HOSTNAME_MISMATCH/;

function faultOfError(error: Error): PostFaultKind {
  const { code = '' } = error as { code?: string };
  return ofCertificate.test(code) ? 'certificate_refused' : 'unreachable';
}
