import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { address } from '#api/call.ts';

/** Stills asked for within so long of each other may be the same one. */
const SAME_FOR_MS = 2000;

/** The newest still of a camera as of a time: pictures are kept by address, and an old one shall not serve. */
export const stillAddress = (cameraId: string, atMs: number): string =>
  `${address(cameraRoutes.snapshot.path, { params: { id: cameraId } })}?v=${Math.floor(atMs / SAME_FOR_MS)}`;
