import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { address } from '#api/call.ts';

/** Stills asked for within so long of each other may be the same one. */
const SAME_FOR_MS = 2000;

/** The newest still of a camera as of a time: pictures are kept by address, and an old one shall not serve. */
export const stillAddress = (cameraId: string, atMs: number): string =>
  `${address(cameraRoutes.snapshot.path, { params: { id: cameraId } })}?v=${Math.floor(atMs / SAME_FOR_MS)}`;

/** As of when a still of such an address is; null: it is no such address. */
export function stillMs(src: string): number | null {
  const [, step] = /\?v=(\d+)$/.exec(src) ?? [];
  return step === undefined ? null : Number(step) * SAME_FOR_MS;
}
