/** The edge that lights up, and the name of the person who was just seen. */
import type { Detection } from '@nazar/contract/visits.ts';
import { ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { shownName } from '#parts/shown-name.ts';

export interface SeenMarkProps {
  seen: Pick<Detection, 'face_name' | 'is_recognized'>;
}

/** Pulses every two seconds, and not at all for those who asked for less motion. */
export function SeenMark({
  seen: { face_name: name, is_recognized: isRecognized },
}: SeenMarkProps) {
  const { t } = useTranslation();
  return (
    <>
      <span
        aria-hidden
        data-testid="seen-edge"
        className={cx(
          'pointer-events-none absolute inset-0 border-4 motion-safe:animate-pulse',
          isRecognized ? 'border-recognized' : 'border-unrecognized',
        )}
      />
      <span
        className={cx(
          // Words of the live view stand in the same corner: it goes above them.
          'pointer-events-none absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] items-center group-has-data-live-words:top-1/2 group-has-data-live-words:bottom-auto gap-1.5 rounded-control px-2 py-1 text-ui font-semibold text-white',
          isRecognized ? 'bg-[#065f46]' : 'bg-[#7c2d12]',
        )}
      >
        <ScanFace aria-hidden className="size-4 shrink-0" />
        <span className="truncate">
          {isRecognized ? shownName(t, name) : t('detection.unknown')}
        </span>
      </span>
    </>
  );
}
