/**
 * Which answers are sent compressed, and how. The length of a compressed answer reveals how much of it repeats: an
 * answer that holds a secret beside text that another party chose gives the secret away piece by piece (BREACH). So
 * only the routes in this list are compressed: those that read cameras, people and recordings, and the log of
 * them. Sign-in, sessions, keys, tickets, factors, proof and set-up are not in it.
 */
import { promisify } from 'node:util';
import { constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import type { Route } from '@nazar/contract/route.ts';

/** The first path of each; further ones are answered as that. */
export const compressedPaths: ReadonlySet<string> = new Set([
  '/secure-api/accounts/users/',
  '/secure-api/accounts/groups/',
  '/secure-api/activity-log/activity-logs/',
  '/secure-api/activity-log/cameras/',
  '/secure-api/activity-log/face-logs/',
  '/secure-api/activity-log/face-logs/:id/',
  '/secure-api/activity-log/face-logs/:id/explanation/',
  ...Object.values(visitCountRoutes).map(({ path }) => path),
  '/secure-api/analytics/summary/',
  '/secure-api/cameras/',
  '/secure-api/cameras/:id/access/',
  '/secure-api/cameras/:id/history/',
  '/secure-api/cameras/:id/motion_search/',
  '/secure-api/cameras/:id/timeline/',
  '/secure-api/cameras/:id/zones/',
  '/secure-api/cameras/grants/',
  '/secure-api/cameras/groups/',
  '/secure-api/faces/',
  '/secure-api/faces/:id/',
  '/secure-api/faces/categories/',
  '/secure-api/faces/detections/',
  '/secure-api/faces/statistics/',
  '/secure-api/faces/unknown/',
  '/secure-api/faces/unknown/:id/',
  '/secure-api/privacy/erasures/',
  '/secure-api/privacy/ended-accounts/',
  '/secure-api/recordings/',
  '/secure-api/recordings/:id/segments/',
  '/secure-api/recordings/exports/',
  '/secure-api/recordings/newest/',
  '/secure-api/recordings/stats/',
  '/secure-api/recordings/timelines/',
  '/secure-api/system/models/',
]);

/** Only reads: no user has typed a body whose words the answer repeats. */
export const mayCompress = ({ method, path, reply }: Route): boolean =>
  method === 'GET' && reply !== undefined && compressedPaths.has(path);

export type Encoding = 'zstd' | 'gzip';

/** Data that fits into one packet of a network arrives no sooner when it is smaller. */
const minBytes = 1024;
/** Work that takes less than a millisecond here stays in this thread: handing it to another one takes as long. */
const maxSyncBytes = 64 * 1024;
/** The lowest: higher ones save less than 10 % for up to twice the time (docs/design/performance-history.md). */
const zstdLevel = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const gzipLevel = { level: 1 };

const zstdLater = promisify(zstdCompress);
const gzipLater = promisify(gzip);

/** The encoding that the caller accepts, the better one if both; null: neither. `q=0` refuses. */
export function encodingFor(accepted: string | undefined): Encoding | null {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name);
  if (names.includes('zstd')) return 'zstd';
  return names.includes('gzip') ? 'gzip' : null;
}

function pack(data: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const isLong = data.length > maxSyncBytes;
  if (encoding === 'zstd') {
    return isLong ? zstdLater(data, zstdLevel) : zstdCompressSync(data, zstdLevel);
  }
  return isLong ? gzipLater(data, gzipLevel) : gzipSync(data, gzipLevel);
}

/** Null: the data is better sent uncompressed. */
export async function compressed(data: Buffer, encoding: Encoding): Promise<Buffer | null> {
  if (data.length < minBytes) return null;
  const packed = await pack(data, encoding);
  return packed.length < data.length ? packed : null;
}
