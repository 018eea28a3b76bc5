/** Says that the camera was turned since its zones were saved, and lets the user choose where they belong. */
import { turnBetween, turnedPolygon, type QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Zone } from '@nazar/contract/zones.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { Drawn } from './drawing.ts';

export interface TurnedNoticeProps {
  saved: readonly Zone[];
  zones: readonly Drawn[];
  onChange: (zones: Drawn[]) => void;
}

export function TurnedNotice({ saved, zones, onChange }: TurnedNoticeProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<QuarterTurn>(0);
  const turns = [...new Set(saved.flatMap((zone) => zone.turns))].toSorted((a, b) => a - b);
  if (saved.every((zone) => zone.turns.length === 1)) return null;
  const choose = (by: QuarterTurn): void => {
    const more = turnBetween(chosen, by);
    setChosen(by);
    onChange(
      zones.map((zone) => ({
        ...zone,
        points: turnedPolygon(zone.points, more).map(([x, y]): [number, number] => [x, y]),
      })),
    );
  };
  return (
    <Banner tone="info">
      <div className="grid justify-items-start gap-2">
        <p>{t('zones.turned')}</p>
        <div className="flex flex-wrap gap-2">
          {turns.map((by) => (
            <Button
              key={by}
              look="secondary"
              size="small"
              type="button"
              aria-pressed={by === chosen}
              onClick={() => choose(by)}
            >
              {by === 0 ? t('zones.leave') : t('zones.turn', { degrees: by })}
            </Button>
          ))}
        </div>
      </div>
    </Banner>
  );
}
