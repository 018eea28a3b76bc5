/** A card of a panel, which says by which filters its figures are narrowed. */
import { ChartNoAxesColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatList } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useLogUser } from './use-log-user.ts';
import { filtersOf, type PanelFilter } from './panel-filters.ts';
import type { Panel } from './panels.ts';

export interface PanelCardProps {
  panel: Panel;
  title: string;
  /** Where a card obeys fewer than its panel. */
  obeys?: readonly PanelFilter[];
  className?: string;
  children: ReactNode;
}

export function PanelCard({ panel, title, obeys, className, children }: PanelCardProps) {
  const { t } = useTranslation();
  const all = filtersOf(panel, isAdministrator(useLogUser()));
  const names = (obeys === undefined ? all : all.filter((filter) => obeys.includes(filter))).map(
    (filter) => t(`panels.filter.${filter}`),
  );
  return (
    <Card title={title} {...(className !== undefined && { className })}>
      <p className="-mt-2 mb-3 text-meta text-muted">
        {t('panels.obeys', { filters: formatList(names) })}
      </p>
      {children}
    </Card>
  );
}

/** Why a panel or a chart is empty. */
export function Nothing({ title }: { title: string }) {
  return <EmptyState icon={<ChartNoAxesColumn />} title={title} />;
}
