/**
 * The only way to an address that a user typed (a camera's from a media host, a broker's from the server): resolves the
 * name once, checks every address it has, and connects to a checked address, so that a name that changes between check
 * and connect gains nothing. Each reconnect dials again.
 */
import { lookup as resolve } from 'node:dns/promises';
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { isAllowed, type AddressPolicy } from '../../protocol/address-policy.ts';
import { IngestFault } from '../../protocol/fault.ts';

export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const defaultPort = { http: 80, https: 443, rtsp: 554, rtsps: 322 } as const;

/** The host without the brackets that an IPv6 address has in a URL. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** The destination of a URL with that scheme, plain or over TLS; null for another scheme. */
export function destinationOf(url: URL, scheme: 'http' | 'rtsp'): Destination | null {
  const secure = `${scheme}s` as const;
  const tls = url.protocol === `${secure}:`;
  if (!tls && url.protocol !== `${scheme}:`) return null;
  const port = url.port ? Number(url.port) : defaultPort[tls ? secure : scheme];
  return { host: hostOf(url), port, tls };
}

/** A host and its pinned certificate. */
export interface Pin {
  readonly host: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly certificate: string;
}

export interface Dialer {
  readonly policy: AddressPolicy;
  readonly pin?: Pin;
  /** Certificates (PEM) of authorities that are trusted in place of the usual ones. */
  readonly ca?: string;
  /** Tests replace it by a name server that gives wrong answers. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** A camera on the same network answers within milliseconds; 5 s covers a switch that is waking up. */
const connectTimeoutMs = 5_000;

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await resolve(host, { all: true });
  return found.map(({ address }) => address);
}

/** Reads into memory that is used again for the next read; never over TLS. */
export type OnRead = OnReadOpts;

/** Resolves with a connected socket; throws an IngestFault: `address_refused`, `certificate_refused`, `unreachable`. */
export async function dial(
  to: Destination,
  dialer: Dialer,
  signal: AbortSignal,
  onRead?: OnRead,
): Promise<Socket> {
  const addresses = isIP(to.host)
    ? [to.host]
    : await (dialer.resolve ?? addressesOf)(to.host).catch((error: unknown) => {
        throw new IngestFault('unreachable', 'the name is not known', error);
      });
  if (!addresses.every((address) => isAllowed(address, to.port, dialer.policy))) {
    throw new IngestFault('address_refused');
  }
  let last = new IngestFault('unreachable', 'the name has no address');
  for (const address of addresses) {
    signal.throwIfAborted();
    try {
      return await connectTo(address, to, dialer, signal, onRead);
    } catch (error) {
      if (error instanceof IngestFault) throw error;
      last = new IngestFault('unreachable', 'no connection', error);
    }
  }
  throw last;
}

function connectTo(
  address: string,
  to: Destination,
  { pin, ca }: Pick<Dialer, 'pin' | 'ca'>,
  signal: AbortSignal,
  onRead: OnRead | undefined,
): Promise<Socket> {
  const answer = Promise.withResolvers<Socket>();
  // A certificate is checked against the name that was typed, not the address that was dialled.
  // The cipher suites are Node's defaults, CBC among them, because old cameras know no others (our listener offers
  // better ones only).
  const secure = to.tls
    ? connectTls({
        host: address,
        port: to.port,
        ...(isIP(to.host) ? {} : { servername: to.host }),
        ...(ca ? { ca } : {}),
        // `isTrusted` below judges the certificate before anything is sent, so that the reason is known.
        rejectUnauthorized: false,
      })
    : null;
  const onread = onRead && !to.tls ? { onread: onRead } : {};
  const socket: Socket = secure ?? connect({ host: address, port: to.port, ...onread });
  const fail = (error: Error): void => {
    socket.destroy();
    answer.reject(error);
  };
  const aborted = (): void => fail(new Error('aborted'));
  socket.setTimeout(connectTimeoutMs, () => fail(new Error('no answer')));
  socket.once('error', fail);
  signal.addEventListener('abort', aborted, { once: true });
  socket.once(to.tls ? 'secureConnect' : 'connect', () => {
    if (secure && !isTrusted(secure, to, pin)) {
      fail(new IngestFault('certificate_refused'));
      return;
    }
    socket.off('error', fail);
    socket.on('error', () => undefined); // 'close' follows and is what its owner listens to
    socket.removeAllListeners('timeout');
    socket.setTimeout(0);
    socket.setNoDelay(true);
    signal.removeEventListener('abort', aborted);
    answer.resolve(socket);
  });
  return answer.promise;
}

/** Trusts the pinned certificate of that host; without a pin a certificate that is signed for that name. */
function isTrusted(socket: TLSSocket, { host }: Destination, pin: Pin | undefined): boolean {
  if (!pin || pin.host !== host) return socket.authorized;
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  return shown?.replaceAll(':', '').toLowerCase() === pin.certificate;
}
