/** How many of each level there are. A figure leads to its lines. */
import { systemLogLevels, type SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { CircleX, Info, TriangleAlert, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Button } from '#ui/button.tsx';
import { FigureCard, FigureGrid } from '#ui/card.tsx';

const icons: Readonly<Record<SystemLogLevel, ReactNode>> = {
  error: <CircleX />,
  warning: <TriangleAlert />,
  info: <Info />,
  debug: <Wrench />,
};

export interface LineCountsProps {
  /** Undefined: not known. */
  counts: Readonly<Record<SystemLogLevel, number>> | undefined;
  level: SystemLogLevel | undefined;
  onLevel: (level: SystemLogLevel | undefined) => void;
}

export function LineCounts({ counts, level: chosen, onLevel }: LineCountsProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return (
    <FigureGrid>
      {systemLogLevels.map((level) => {
        const isChosen = chosen === level;
        return (
          <FigureCard
            key={level}
            label={t(`systemLog.counts.${level}`)}
            value={counts === undefined ? null : formatNumber(counts[level])}
            icon={icons[level]}
          >
            {(isChosen || (counts?.[level] ?? 0) > 0) && (
              <Button
                look="link"
                className="text-left"
                onClick={() => onLevel(isChosen ? undefined : level)}
              >
                {isChosen ? t('systemLog.showAll') : t('systemLog.showOnly')}
                <span className="sr-only">: {t(`systemLog.counts.${level}`)}</span>
              </Button>
            )}
          </FigureCard>
        );
      })}
    </FigureGrid>
  );
}
