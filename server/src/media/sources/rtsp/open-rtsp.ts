/**
 * Opens an RTSP camera over TCP, because UDP loses pictures on busy networks, by our own client. A camera that this
 * client does not understand is read by FFmpeg; one that refuses TCP is asked for packets by UDP.
 */
import { destinationOf } from '../dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { Reachable } from '../../protocol/messages.ts';
import { credentialsOf } from '../digest.ts';
import { isStillFor } from '../http-get.ts';
import type { Source, SourceContext } from '../source.ts';
import { openByFfmpeg } from './by-ffmpeg.ts';
import { NotReadHere, RtspSource } from './rtsp-source.ts';
import { NotUnderstood, Redirected, unsupportedTransport } from './commands.ts';

const maxRedirects = 3;
/** "Not Enough Bandwidth", "Service Unavailable" (RFC 2326). */
const tooMany = [453, 503];

export async function openRtsp(camera: Reachable, context: SourceContext): Promise<Source> {
  let target = new URL(camera.url);
  let credentials = credentialsOf(camera, target);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const to = destinationOf(target, 'rtsp');
    if (!to) throw new IngestFault('address_refused', 'no RTSP');
    context.observer?.chose({ reader: 'rtsp' });
    try {
      return await RtspSource.open(target, credentials, to, context);
    } catch (error) {
      // A second connection is one more that a camera with too many viewers refuses.
      if (error instanceof NotUnderstood && tooMany.includes(error.status))
        throw new IngestFault('busy', `RTSP status ${error.status}`);
      if (error instanceof NotReadHere || error instanceof NotUnderstood) {
        const status = error instanceof NotUnderstood ? error.status : null;
        const transport = status === unsupportedTransport ? 'udp' : 'tcp';
        context.observer?.chose({ reader: 'ffmpeg', transport, status });
        return await openByFfmpeg(target, credentials, to, transport, context);
      }
      const next = error instanceof Redirected ? URL.parse(error.location, target.href) : null;
      if (error instanceof Redirected && !next) throw new IngestFault('not_found', 'redirected');
      if (!next) throw error;
      // Credentials are for the host they were given for.
      if (!isStillFor(next, target)) credentials = null;
      target = next;
    }
  }
  throw new IngestFault('not_found', 'too many redirects');
}
