/** Lies over a player while its timeline is dragged: the nearest still before that moment. Playing goes on below it. */
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { momentTime } from './moment-words.ts';
import { useStillAt, type Scrub } from './scrub.ts';

export interface ScrubStillProps {
  scrub: Scrub;
  cameraId: string;
  timezone: string;
  /** Absent: yes. One of several says its name in that place. */
  hasTime?: boolean;
}

export function ScrubStill({ scrub, cameraId, timezone, hasTime = true }: ScrubStillProps) {
  const { t } = useTranslation();
  const ms = useSignal(scrub.moment);
  const still = useStillAt(scrub.stillsOf(cameraId), ms);
  if (ms === null || still === null) return null;
  return (
    <div data-scrub className="absolute inset-0 bg-[#0b0e14]">
      <img src={still.source} alt="" decoding="sync" className="size-full object-contain" />
      {hasTime && (
        <span className="absolute top-2 left-2 rounded-control bg-black/75 px-2 py-1 text-meta font-medium text-white tabular-nums">
          {t('timeline.still', { time: momentTime(still.ms, timezone) })}
        </span>
      )}
    </div>
  );
}
