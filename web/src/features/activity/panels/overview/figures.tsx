/** The figures at the head of the overview (LDO-009 to LDO-012). */
import type { RecognitionStats } from '@nazar/contract/face-log-counts.ts';
import { ScanFace, ScrollText, Server, Sigma } from 'lucide-react';
import { formatList, useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { FigureCard, FigureGrid } from '#ui/card.tsx';
import { filtersOf } from '../panels.ts';

export interface FiguresProps {
  /** As the keyword and the content type narrow them. */
  entries: number | undefined;
  lines: number | undefined;
  /** Of all kinds; keyword and content type do not narrow it. */
  all: number | undefined;
  stats: RecognitionStats | undefined;
  /** Whether it has to be said that the sum is of more than the other figures. */
  isNarrowed: boolean;
  mayChooseUser: boolean;
}

/** Undefined: not known. */
export function Figures({ entries, lines, all, stats, isNarrowed, mayChooseUser }: FiguresProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const figure = (value: number | undefined): string | null =>
    value === undefined ? null : formatNumber(value);
  const obeyed = filtersOf('cameras', mayChooseUser).map((filter) => t(`panels.filter.${filter}`));
  return (
    <FigureGrid>
      <FigureCard label={t('panels.allLogs')} value={figure(all)} icon={<Sigma />}>
        {isNarrowed && t('panels.obeys', { filters: formatList(obeyed) })}
      </FigureCard>
      <FigureCard label={t('panels.entries')} value={figure(entries)} icon={<ScrollText />} />
      <FigureCard label={t('panels.systemLogs')} value={figure(lines)} icon={<Server />} />
      <FigureCard label={t('panels.visits')} value={figure(stats?.total)} icon={<ScanFace />}>
        {stats !== undefined && (
          <>
            {t('panels.recognized')}: {formatNumber(stats.recognized)}
            {' · '}
            {t('panels.unrecognized')}: {formatNumber(stats.unrecognized)}
          </>
        )}
      </FigureCard>
    </FigureGrid>
  );
}
