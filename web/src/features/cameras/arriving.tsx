/** What really arrives of each stream of a camera, beside what the form asks for. */
import type { Camera, PictureFindings, StreamHealth } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { formatNumber } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { useNow } from '#lib/use-now.ts';
import { streamSentence } from '#parts/camera-state/camera-state.ts';
import { Facts } from '#ui/data-list.tsx';
import { lacksSub } from './camera-words.ts';
import { codecNames } from './codec-names.ts';
import { useCurrentCamera } from './queries.ts';

function Stream({ health }: { health: StreamHealth }) {
  const { t } = useTranslation();
  const nowMs = useNow(health.retry_at !== null);
  const { state, codec, width, height, fps, sound } = health;
  if (state !== 'live') return streamSentence(t, health, nowMs);
  const parts = [
    codec === null ? null : (codecNames[codec] ?? codec),
    width === null || height === null ? null : `${width}×${height}`,
    fps === null ? null : t('cameras.picturesPerSecond', { value: formatNumber(fps) }),
    sound === null ? null : t('cameras.withSound', { codec: codecNames[sound] ?? sound }),
  ];
  return joined(parts);
}

function Picture({ findings: { frozen, covered } }: { findings: PictureFindings }) {
  const { t } = useTranslation();
  if (frozen) return t('cameras.pictureFrozen');
  if (covered) return t('cameras.pictureCovered');
  if (frozen === null) return t('cameras.pictureUnknown');
  return t(covered === null ? 'cameras.pictureNotFrozen' : 'cameras.pictureFine');
}

export function Arriving({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { health, status } = useCurrentCamera(camera);
  if (status !== 'active' || health.state === 'off') return null;
  const { sub } = health;
  const streams = [{ name: t('cameras.mainStream'), value: <Stream health={health} /> }];
  if (sub !== null) streams.push({ name: t('cameras.subStream'), value: <Stream health={sub} /> });
  if (health.state === 'live') {
    const findings = <Picture findings={health.picture} />;
    streams.push({ name: t('cameras.pictureCheck'), value: findings });
  }
  return (
    <section aria-label={t('cameras.arrives')} className="grid gap-2">
      <h3 className="text-meta font-semibold text-muted">{t('cameras.arrives')}</h3>
      <Facts facts={streams} />
      {[health, sub].some((stream) => stream?.timed_by_arrival) && (
        <p className="text-meta">{t('cameras.timedByArrival')}</p>
      )}
      {lacksSub(health) && <p className="text-meta text-muted">{t('cameras.subFallback')}</p>}
    </section>
  );
}
