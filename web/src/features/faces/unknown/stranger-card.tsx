import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Badge, type Tone } from '#ui/badge.tsx';
import { UnknownPicture } from './picture-grid.tsx';

const tones: Record<UnknownFace['status'], Tone> = {
  new: 'unrecognized',
  reviewing: 'info',
  identified: 'recognized',
  ignored: 'neutral',
};

export function StrangerPicture({ stranger }: { stranger: UnknownFace }) {
  const { t } = useTranslation();
  return (
    <UnknownPicture
      src={stranger.image}
      isHidden={stranger.picture_hidden}
      alt={t('strangers.name', { number: stranger.number })}
    />
  );
}

export function StrangerStatus({ status }: { status: UnknownFace['status'] }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`strangers.status.${status}`)}</Badge>;
}

/** The whole card opens what is known of them. */
export function StrangerCard({
  stranger,
  onOpen,
}: {
  stranger: UnknownFace;
  onOpen: (stranger: UnknownFace) => void;
}) {
  const { t } = useTranslation();
  return (
    <li className="card relative flex flex-col overflow-hidden has-focus-visible:outline-2 has-focus-visible:outline-ring">
      <StrangerPicture stranger={stranger} />
      <div className="flex flex-1 flex-col gap-2 p-3">
        <div className="grid gap-0.5">
          <button
            type="button"
            className="truncate text-left text-ui font-medium outline-none after:absolute after:inset-0"
            onClick={() => onOpen(stranger)}
          >
            {t('strangers.name', { number: stranger.number })}
          </button>
          <span className="truncate text-meta text-muted">{stranger.camera_name}</span>
          <span className="text-meta text-muted">
            <TimeAgo at={stranger.timestamp} />
          </span>
        </div>
        <div className="mt-auto flex flex-wrap items-center gap-2">
          <StrangerStatus status={stranger.status} />
          <span className="text-meta text-muted">
            {t('unknown.count', { count: stranger.count })}
          </span>
        </div>
      </div>
    </li>
  );
}
