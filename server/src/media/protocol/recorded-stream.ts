/** Which stream of a camera is recorded: the one that is nearest in height to what its settings ask for. Pure. */
import type { StreamName } from '@nazar/contract/cameras.ts';

/** Lines of the picture; null: not known, or, of the sub-stream, not there now. */
export interface StreamHeights {
  readonly main: number | null;
  readonly sub: number | null;
}

/** The main stream where both are as near. While its height is not known, a sub-stream that is high enough. */
export function nearestStream({ main, sub }: StreamHeights, height: number): StreamName {
  if (sub === null) return 'main';
  if (main === null) return sub >= height ? 'sub' : 'main';
  return Math.abs(sub - height) < Math.abs(main - height) ? 'sub' : 'main';
}
