import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { useNow } from '#lib/use-now.ts';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

const clock = (minutes: number): { hours: number; minutes: number } => ({
  hours: Math.floor(minutes / 60),
  minutes: minutes % 60,
});

/** How long of the last 24 h it was online, or of the time since it was added; nothing where that is unknown. */
export function OnlineLine({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const now = useNow(camera.online_24h_s !== null, minuteMs);
  const { online_24h_s: seconds, created_at: createdAt } = camera;
  if (seconds === null) return null;
  const online = Math.floor(seconds / 60);
  // It was not there longer than it was online, whatever the clock of this device says.
  const there = Math.max(online, Math.floor((now - Date.parse(createdAt)) / minuteMs));
  return <p className="figures text-meta text-muted">{sentence(t, online, there)}</p>;
}

/** A camera that was added less than a minute ago has no share yet. */
function sentence(t: Translate, online: number, there: number): string {
  if (there === 0) return t('cameraFilters.justAdded');
  const { hours, minutes } = clock(online);
  if (there >= dayMinutes) return t('cameraFilters.online', { hours, minutes });
  const of = clock(there);
  return t('cameraFilters.onlineSince', {
    hours,
    minutes,
    ofHours: of.hours,
    ofMinutes: of.minutes,
  });
}
