/** Opens the kind of source that a camera's type and the scheme of its address ask for. */
import { hostOf } from './dial/dial.ts';
import { openFile } from './file-source.ts';
import { IngestFault } from '../protocol/fault.ts';
import { openHttp } from './http-source.ts';
import type { Reachable } from '../protocol/messages.ts';
import { openRtsp } from './rtsp/open-rtsp.ts';
import type { OpenSource, Source, SourceContext } from './source.ts';
import { openUsb } from './usb-source.ts';

const byScheme: Readonly<Record<string, OpenSource>> = {
  'rtsp:': openRtsp,
  'rtsps:': openRtsp,
  'http:': openHttp,
  'https:': openHttp,
};

export async function openSource(camera: Reachable, context: SourceContext): Promise<Source> {
  if (camera.type === 'file') return await openFile(camera, context);
  if (camera.type === 'usb') return await openUsb(camera);
  const url = URL.parse(camera.url);
  const open = byScheme[url?.protocol ?? ''];
  if (!open || !url) throw new IngestFault('address_refused', 'no such kind of address');
  const { certificate } = camera;
  if (certificate === '') return await open(camera, context);
  // The pin is for this host only: after a redirect another host is verified as usual.
  const pin = { host: hostOf(url), certificate };
  return await open(camera, { ...context, dialer: { ...context.dialer, pin } });
}
