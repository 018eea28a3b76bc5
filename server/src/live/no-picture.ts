/** Why there is no live picture to show. Pure. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { Problem } from '#lib/problem.ts';

/**
 * Throws camera_not_live; camera_not_aligned where only the sub-stream arrives, which is not shown to users who may not
 * see behind masks (`masked`), because it is not known where the masks are on it.
 */
export function mustBeLive({ state, sub, aligned }: CameraHealth, masked: boolean): void {
  if (state === 'live') return;
  const isHidden = masked && sub?.state === 'live' && aligned === false;
  throw new Problem(isHidden ? 'camera_not_aligned' : 'camera_not_live');
}
