/**
 * Cameras that speak RTSP, over TCP: UDP loses pictures on busy networks. Only a camera that refuses TCP is asked for
 * packets by UDP; what is said about them passes the relay all the same.
 */
import { openRelay, type RtspRelay } from './rtsp-relay.ts';
import type { Destination } from '../dial/dial.ts';
import { IngestFault } from '../fault.ts';
import type { Credentials } from './http-get.ts';
import { FormatSource } from './format-source.ts';
import type { Reachable } from '../messages.ts';
import type { Source, SourceContext } from './source.ts';

const transports = {
  tcp: { rtsp_transport: 'tcp', protocol_whitelist: 'rtsp,tcp' },
  udp: { rtsp_transport: 'udp', protocol_whitelist: 'rtsp,tcp,rtp,udp' },
} as const;
type Transport = keyof typeof transports;

/** "Unsupported Transport" (RFC 2326). */
const unsupportedTransport = 461;
const maxRedirects = 3;

/** Microseconds. The relay ends a silent camera after 5 s and knows why; this is the net below it. */
const socketTimeoutUs = 6_000_000;
const options = {
  timeout: socketTimeoutUs,
  fflags: 'nobuffer',
  flags: 'low_delay',
  analyzeduration: 500_000,
  probesize: 500_000,
};

export async function openRtsp(camera: Reachable, context: SourceContext): Promise<Source> {
  let target = new URL(camera.url);
  let username = camera.username || decodeURIComponent(target.username);
  let password = camera.password || decodeURIComponent(target.password);
  let transport: Transport = 'tcp';
  for (let redirects = 0; redirects <= maxRedirects;) {
    const { dialer, signal } = context;
    const relay = await openRelay(destinationOf(target), dialer, signal, transport === 'udp');
    try {
      return await openThrough(relay, target, { username, password }, transport, context);
    } catch (error) {
      if (relay.reader.status === unsupportedTransport && transport === 'tcp') {
        transport = 'udp';
        continue;
      }
      const location = relay.reader.status >= 300 && relay.reader.status < 400;
      if (!location || !relay.reader.location) throw error;
      const next = new URL(relay.reader.location, target);
      // Credentials are for the host they were given for (C-512).
      if (next.host !== target.host) [username, password] = ['', ''];
      target = next;
      redirects += 1;
    }
  }
  throw new IngestFault('not_found', 'too many redirects');
}

function destinationOf(target: URL): Destination {
  const tls = target.protocol === 'rtsps:';
  if (!tls && target.protocol !== 'rtsp:') throw new IngestFault('address_refused', 'no RTSP');
  const port = target.port ? Number(target.port) : tls ? 322 : 554;
  return { host: target.hostname.replace(/^\[|\]$/g, ''), port, tls };
}

async function openThrough(
  relay: RtspRelay,
  target: URL,
  { username, password }: Credentials,
  transport: Transport,
  { signal, withSound = false }: SourceContext,
): Promise<Source> {
  const credentials = username
    ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
    : '';
  const giveUp = (): void => relay.end(new IngestFault('no_packets', 'given up'));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await FormatSource.open({
      url: `rtsp://${credentials}127.0.0.1:${relay.port}${target.pathname}${target.search}`,
      format: 'rtsp',
      options: {
        ...options,
        ...transports[transport],
        allowed_media_types: withSound ? 'video+audio' : 'video',
      },
      withSound,
      stop: () => relay[Symbol.dispose](),
      why: () => relay.fault ?? faultOfStatus(relay.reader.status),
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function faultOfStatus(status: number): IngestFault | null {
  if (status === 401 || status === 403) return new IngestFault('password_refused');
  if (status === 404 || status === 454) return new IngestFault('not_found');
  if (status === 415) return new IngestFault('unsupported_codec');
  if (status >= 400) return new IngestFault('unreachable', `RTSP status ${status}`);
  return null;
}
