/**
 * Cameras whose RTSP `rtsp-source.ts` does not read: other codecs, packets by UDP. FFmpeg reads them through a relay;
 * with packets by UDP the RTSP requests and replies still pass through it.
 */
import type { Destination } from '../dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { Credentials } from '../digest.ts';
import { FormatSource } from '../format-source.ts';
import type { Source, SourceContext } from '../source.ts';
import { openRelay } from './relay.ts';
import { faultOfStatus } from './commands.ts';

const transports = {
  tcp: { rtsp_transport: 'tcp', protocol_whitelist: 'rtsp,tcp' },
  udp: { rtsp_transport: 'udp', protocol_whitelist: 'rtsp,tcp,rtp,udp' },
} as const;
export type Transport = keyof typeof transports;

/** Microseconds. The relay ends a silent camera after 5 s and knows why; this is the fallback. */
const socketTimeoutUs = 6_000_000;
const options = {
  timeout: socketTimeoutUs,
  flags: 'low_delay',
  analyzeduration: 500_000,
  probesize: 500_000,
};

export async function openByFfmpeg(
  target: URL,
  given: Credentials | null,
  to: Destination,
  transport: Transport,
  { dialer, signal, withSound = false, observer }: SourceContext,
): Promise<Source> {
  const relay = await openRelay(to, dialer, signal, transport === 'udp', observer);
  const credentials = given
    ? `${encodeURIComponent(given.username)}:${encodeURIComponent(given.password)}@`
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
      why: () => relay.fault ?? whyOf(relay.parser.status),
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function whyOf(status: number): IngestFault | null {
  const other = status >= 400 ? new IngestFault('unreachable', `RTSP status ${status}`) : null;
  return faultOfStatus(status) ?? other;
}
