/** Says how old a picture is that stands still: a frozen picture must not be taken for what is there now. */
import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';
import { useNow } from '#lib/use-now.ts';
import type { LivePlayer } from '../live-player.ts';

/** Younger than this it is live. */
const leastAgeMs = 2000;

export function PictureAge({ player }: { player: LivePlayer }) {
  const { t } = useTranslation();
  const nowMs = useNow(true);
  const { lastPictureMs } = player;
  const ageMs = lastPictureMs === null ? 0 : nowMs - lastPictureMs;
  if (ageMs < leastAgeMs) return null;
  return (
    <div
      data-testid="picture-age"
      className="pointer-events-none absolute inset-0 grid place-items-center bg-black/50"
    >
      <span className="rounded-control bg-black/75 px-3 py-1.5 text-ui font-medium text-white tabular-nums">
        {t('liveView.age', { time: formatSeconds(Math.floor(ageMs / 1000)) })}
      </span>
    </div>
  );
}
