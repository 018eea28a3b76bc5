/** Opens cameras plugged into this machine, by Video4Linux. It opens nothing but `/dev/videoN`. */
import { stat } from 'node:fs/promises';
import { IngestFault } from '../protocol/fault.ts';
import { FormatSource } from './format-source.ts';
import type { Reachable } from '../protocol/messages.ts';
import type { Source } from './source.ts';

const device = /^\/dev\/video\d{1,3}$/;

export async function openUsb(camera: Reachable): Promise<Source> {
  if (!device.test(camera.url)) throw new IngestFault('address_refused', 'no video device');
  const found = await stat(camera.url).catch(() => null);
  if (!found?.isCharacterDevice()) throw new IngestFault('device_missing');
  return await FormatSource.open({
    url: camera.url,
    format: 'v4l2',
    options: { protocol_whitelist: 'file' },
    stop: () => undefined,
    // The device exists; when it does not open, another program mostly uses it.
    why: () => new IngestFault('device_busy'),
  });
}
