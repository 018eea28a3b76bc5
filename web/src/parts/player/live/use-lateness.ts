/** How long the picture of a live view has stood still, as of each second. */
import type { StreamHealth } from '@nazar/contract/cameras.ts';
import { useNow } from '#lib/use-now.ts';
import { ofNowMs, type Lateness } from '../../camera-state/camera-facts.ts';
import type { LivePlayer } from '../live-player.ts';

/** So many pictures in a row are missing then, of a camera that sends few. */
const pictures = 2.5;

export function useLateness(
  player: LivePlayer | null,
  { fps }: Pick<StreamHealth, 'fps'>,
  wanted: boolean,
): Lateness | null {
  const nowMs = useNow(wanted);
  const patienceMs = Math.max(ofNowMs, fps === null || fps <= 0 ? 0 : (pictures * 1000) / fps);
  return wanted ? (player?.lateness(nowMs, patienceMs) ?? null) : null;
}
