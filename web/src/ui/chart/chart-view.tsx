/** A chart with its legend, or the table that says the same, as the reader likes. */
import { ChartColumn, Table } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Button } from '../button.tsx';
import type { ChartData } from './chart-data.ts';
import { FiguresTable } from './figures-table.tsx';
import { Legend } from './legend.tsx';

export interface ChartViewProps {
  data: ChartData;
  /** Left out where the chart names its series itself. */
  hideLegend?: boolean;
  children: ReactNode;
}

export function ChartView({ data, hideLegend = false, children }: ChartViewProps) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {hideLegend || isTable ? <span /> : <Legend series={data.series} />}
        <Button
          look="link"
          className="text-meta touch:min-h-11"
          aria-label={joined([isTable ? t('chart.asChart') : t('chart.asTable'), data.label], ': ')}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartColumn aria-hidden /> : <Table aria-hidden />}
          {isTable ? t('chart.asChart') : t('chart.asTable')}
        </Button>
      </div>
      {isTable ? <FiguresTable {...data} /> : children}
    </div>
  );
}
