import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';

export interface BeforeFigureProps {
  now: number;
  /** In the period before; undefined: not known. */
  before: number | undefined;
}

/** What a figure was in the period before, and how much it has changed: from nothing nothing is a change in per cent. */
export function BeforeFigure({ now, before }: BeforeFigureProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  if (before === undefined) return null;
  const change = before === 0 ? null : now / before - 1;
  return (
    <p>
      {t('panels.before', { value: formatNumber(before) })}
      {change !== null && ` (${formatNumber(change, signedPercent)})`}
    </p>
  );
}

const signedPercent = {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
} as const;
