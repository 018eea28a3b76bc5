import type { CameraAlignment } from '@nazar/contract/alignment.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { showingOf } from './part.ts';

/** Whether it is known what the sub-stream shows, by whom, and what it means where it is not. */
export function AlignmentWords({ alignment }: { alignment: CameraAlignment }) {
  const { t } = useTranslation();
  const source = useSource(alignment);
  const { state, part } = alignment;
  if (state === 'none') return <p className="text-meta text-muted">{t('alignment.notSent')}</p>;
  return (
    <output className="grid min-w-52 flex-1 justify-items-start gap-1 text-meta">
      {part === null ? (
        <>
          <Badge tone="warning">{t('alignment.unknown')}</Badge>
          <span>{t('alignment.unknownText')}</span>
          <span className="text-muted">{t('alignment.unknownHelp')}</span>
        </>
      ) : (
        <>
          <span>{t(`alignment.shows.${showingOf(part)}`)}</span>
          <span className="text-muted">{source}</span>
        </>
      )}
    </output>
  );
}

/** Who says so, and since when. */
function useSource({ aligned_at: at, is_confirmed, confirmed_by: by }: CameraAlignment): string {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const time = at === null ? '' : formatTime(at);
  if (!is_confirmed) return t('alignment.measured', { time });
  if (by === null) return t('alignment.confirmed', { time });
  return t('alignment.confirmedBy', { name: by.email, time });
}
