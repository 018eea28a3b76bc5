import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';

export interface TrendProps {
  /** Less than nothing is worse than last week. */
  change: number;
  /** The change with its sign and unit. */
  text: string;
}

/** The sign says what the colour says. */
export function Trend({ change, text }: TrendProps) {
  const { t } = useTranslation();
  const Icon = change > 0 ? TrendingUp : change < 0 ? TrendingDown : Minus;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <span
        className={cx(
          'figures inline-flex items-center gap-1 font-medium',
          change > 0 && 'text-success-text',
          change < 0 && 'text-danger-text',
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {text}
      </span>
      {t('dashboard.vsLastWeek')}
    </span>
  );
}
