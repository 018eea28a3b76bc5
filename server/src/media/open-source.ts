/** Which kind of source a camera is, by its type and the scheme of its address (C-506). */
import { IngestFault } from './fault.ts';
import type { MediaCamera } from './messages.ts';
import { openRtsp } from './rtsp-source.ts';
import type { OpenSource, Source, SourceContext } from './source.ts';

const byScheme: Readonly<Record<string, OpenSource>> = {
  'rtsp:': openRtsp,
  'rtsps:': openRtsp,
};

export async function openSource(camera: MediaCamera, context: SourceContext): Promise<Source> {
  const scheme = URL.parse(camera.url)?.protocol ?? '';
  const open = byScheme[scheme];
  if (!open) throw new IngestFault('address_refused', 'no such kind of address');
  return await open(camera, context);
}
