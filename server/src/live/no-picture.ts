/** Why there is no live picture to show. Pure. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { Problem } from '#lib/problem.ts';

/**
 * Throws camera_not_live; camera_not_aligned where only the sub-stream comes, of which nothing is shown to who may not
 * see behind masks (`masked`), because it is not known where they are on it.
 */
export function mustBeLive({ state, sub, aligned }: CameraHealth, masked: boolean): void {
  if (state === 'live') return;
  const isHidden = masked && sub?.state === 'live' && aligned === false;
  throw new Problem(isHidden ? 'camera_not_aligned' : 'camera_not_live');
}
