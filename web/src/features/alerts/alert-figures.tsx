import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleDot, Clock, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { FigureCard } from '#ui/card.tsx';
import { countsQuery } from './queries.ts';
import type { AlertsSearch } from './search.ts';

/** How many are open, each with the way to the list that holds as many. */
export function AlertFigures() {
  const { t } = useTranslation();
  const { data } = useQuery(countsQuery());
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">
      <Figure
        label={t('alerts.statuses.new')}
        value={data?.new}
        icon={<CircleDot />}
        search={{ status: 'new' }}
      />
      <Figure
        label={t('alerts.statuses.in_progress')}
        value={data?.in_progress}
        icon={<Clock />}
        search={{ status: 'in_progress' }}
      />
      <Figure
        label={t('alerts.criticalOpen')}
        value={data?.by_level.critical}
        icon={<OctagonAlert />}
        search={{ level: 'critical', open: true }}
        isWide
      />
    </div>
  );
}

interface FigureProps {
  label: string;
  /** Undefined: not known yet. */
  value: number | undefined;
  icon: ReactNode;
  search: AlertsSearch;
  /** The last of three, where two stand beside each other. */
  isWide?: boolean;
}

function Figure({ label, value, icon, search, isWide = false }: FigureProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return (
    <div className={isWide ? 'col-span-2 sm:col-span-1' : ''}>
      <FigureCard
        label={label}
        value={value === undefined ? null : formatNumber(value)}
        empty=""
        icon={icon}
      >
        <Link
          to="/alerts"
          search={search}
          className="-my-1 inline-flex min-h-6 items-center font-medium text-primary-text underline-offset-4 hover:underline touch:min-h-11"
          aria-label={t('alerts.showOf', { label })}
        >
          {t('alerts.show')}
        </Link>
      </FigureCard>
    </div>
  );
}
