/**
 * The last list the server gave this user, for when it cannot be asked (CAM-059). Nothing of how a camera
 * is reached is kept; signing out forgets it (`api/session.ts`).
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { store, stored } from '#lib/storage.ts';
import type { CameraPage } from './queries.ts';

interface Kept {
  readonly user_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly page: CameraPage;
}

function withoutCredentials(camera: Camera): Camera {
  const kept = { ...camera };
  delete kept.url;
  delete kept.username;
  delete kept.ip_address;
  return kept;
}

export function keepCameras(userId: string, page: CameraPage, at: number): void {
  const kept: Kept = {
    user_id: userId,
    at,
    page: { ...page, results: page.results.map(withoutCredentials) },
  };
  store('cameras', JSON.stringify(kept));
}

export function lastCameras(userId: string): Kept | null {
  try {
    const kept = JSON.parse(stored('cameras') ?? 'null') as Kept | null;
    return kept !== null && kept.user_id === userId ? kept : null;
  } catch {
    // Written by another version: as good as nothing.
    return null;
  }
}
