import { zoneKinds, type ZoneKind } from '@nazar/contract/zones.ts';
import { Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { Drawn } from './drawing.ts';

export interface ZoneListProps {
  zones: readonly Drawn[];
  chosen: Drawn | null;
  onChoose: (zone: Drawn) => void;
  onChange: (zone: Drawn) => void;
  onRemove: (zone: Drawn) => void;
}

/** The zones in words: what each is, what it is called, and which one's corners are shown. */
export function ZoneList({ zones, chosen, onChoose, onChange, onRemove }: ZoneListProps) {
  const { t } = useTranslation();
  return (
    <ol aria-label={t('zones.list')} className="grid gap-2">
      {zones.map((zone, index) => {
        const number = index + 1;
        return (
          <li
            key={zone.key}
            className={cx(
              'flex flex-wrap items-end gap-2 rounded-control border p-2',
              zone.key === chosen?.key ? 'border-primary' : 'border-line',
            )}
          >
            <Button
              look="secondary"
              size="small"
              type="button"
              aria-pressed={zone.key === chosen?.key}
              onClick={() => onChoose(zone)}
            >
              {t('zones.choose', { number })}
            </Button>
            <SelectField
              label={t('zones.kind', { number })}
              hideLabel
              className="min-w-36 flex-1"
              value={zone.kind}
              options={zoneKinds.map((kind) => ({
                value: kind,
                label: t(`zones.kinds.${kind}`),
              }))}
              onChange={({ target }) => onChange({ ...zone, kind: target.value as ZoneKind })}
            />
            <TextField
              label={t('zones.name', { number })}
              hideLabel
              className="min-w-36 flex-1"
              autoComplete="off"
              maxLength={60}
              placeholder={t('zones.namePlaceholder')}
              value={zone.name}
              onChange={({ target }) => onChange({ ...zone, name: target.value })}
            />
            <IconButton label={t('zones.remove', { number })} onClick={() => onRemove(zone)}>
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        );
      })}
    </ol>
  );
}
