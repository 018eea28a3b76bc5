import type { Detection } from '@nazar/contract/visits.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { initials } from '#lib/initials.ts';
import { DetectionBadge } from '#parts/detection-badge.tsx';
import { FacePicture } from '#parts/face-picture.tsx';
import { shownName } from '#parts/shown-name.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Avatar } from '#ui/avatar.tsx';

export interface DetectionRowProps {
  detection: Detection;
  /** Came in while the list was shown: stands out for a moment. */
  fresh?: boolean;
}

/** One visit: who, where, when, with the picture that decided it. */
export function DetectionRow({ detection, fresh = false }: DetectionRowProps) {
  const { t } = useTranslation();
  const { face_name: name, camera_name: camera, is_recognized: recognized } = detection;
  const shown = recognized ? shownName(t, name) : t('detection.unknown');
  const [first = '', ...rest] = shown.split(' ');
  return (
    <li
      className={cx(
        'flex min-h-14 items-center gap-3 py-2.5',
        fresh && 'animate-fresh -mx-2 rounded-control px-2',
      )}
    >
      <FacePicture
        src={detection.image}
        isHidden={detection.picture_hidden}
        alt=""
        className="size-9 rounded-full"
        fallback={<Avatar initials={recognized ? initials(first, rest.join(' ')) : '?'} />}
      />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <div className="flex items-center justify-between gap-2">
          <span className="truncate text-ui font-medium">{shown}</span>
          <span className="shrink-0">
            <DetectionBadge recognized={recognized} />
          </span>
        </div>
        <div className="flex justify-between gap-2 text-meta text-muted">
          <span className="truncate">{camera}</span>
          <span className="whitespace-nowrap">
            <TimeAgo at={detection.timestamp} />
          </span>
        </div>
      </div>
    </li>
  );
}
