/** The figures at the head of the overview. */
import type { RecognitionStats } from '@nazar/contract/visit-counts.ts';
import { ScanFace, ScrollText, Server, Sigma } from 'lucide-react';
import { formatList, useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { FigureCard, FigureGrid } from '#ui/card.tsx';
import { BeforeFigure } from '../before-figure.tsx';
import { filtersOf } from '../panel-filters.ts';

/** Undefined: not known. */
export interface Counted {
  /** As the keyword and the content type narrow them. */
  readonly entries: number | undefined;
  readonly lines: number | undefined;
  /** The count of all kinds; keyword and content type do not narrow it. */
  readonly all: number | undefined;
  readonly visits: number | undefined;
}

export interface FiguresProps {
  now: Counted;
  before: Counted;
  stats: RecognitionStats | undefined;
  /** Whether it has to be said that the sum is of more than the other figures. */
  isNarrowed: boolean;
  mayChooseUser: boolean;
}

export function Figures({ now, before, stats, isNarrowed, mayChooseUser }: FiguresProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const figure = (value: number | undefined): string | null =>
    value === undefined ? null : formatNumber(value);
  const compared = (name: keyof Counted) => (
    <BeforeFigure now={now[name] ?? 0} before={before[name]} />
  );
  const obeyed = filtersOf('cameras', mayChooseUser).map((filter) => t(`panels.filter.${filter}`));
  return (
    <FigureGrid>
      <FigureCard label={t('panels.allLogs')} value={figure(now.all)} icon={<Sigma />}>
        {compared('all')}
        {isNarrowed && t('panels.obeys', { filters: formatList(obeyed) })}
      </FigureCard>
      <FigureCard label={t('panels.entries')} value={figure(now.entries)} icon={<ScrollText />}>
        {compared('entries')}
      </FigureCard>
      <FigureCard label={t('panels.systemLogs')} value={figure(now.lines)} icon={<Server />}>
        {compared('lines')}
      </FigureCard>
      <FigureCard label={t('panels.visits')} value={figure(now.visits)} icon={<ScanFace />}>
        {compared('visits')}
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
