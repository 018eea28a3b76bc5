import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';
import { Select } from '#ui/select.tsx';

const counts = [1, 2, 4, 6, 9, 12, 16, 20, 25, 30, 36];
const intervals = [5, 10, 15, 30, 60, 120, 300];

/** What is set already stays among what can be chosen, also when it was set by the API. */
const among = (usual: readonly number[], value: number): number[] =>
  [...new Set([...usual, value])].toSorted((one, other) => one - other);

export interface TilesSelectProps {
  value: number;
  onChange: (tiles: number) => void;
}

export function TilesSelect({ value, onChange }: TilesSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      className="min-w-32"
      aria-label={t('wall.tilesPerPage')}
      options={among(counts, value).map((count) => ({
        value: String(count),
        label: t('wall.tileCount', { count }),
      }))}
      value={String(value)}
      onChange={({ target }) => onChange(Number(target.value))}
    />
  );
}

export interface TourSelectProps {
  /** Null: pages change by hand. */
  value: number | null;
  onChange: (seconds: number | null) => void;
}

export function TourSelect({ value, onChange }: TourSelectProps) {
  const { t } = useTranslation();
  const options = (value === null ? intervals : among(intervals, value)).map((seconds) => ({
    value: String(seconds),
    label: t('wall.tourEvery', { time: formatSeconds(seconds) }),
  }));
  return (
    <Select
      className="min-w-36"
      aria-label={t('wall.tour')}
      options={[{ value: '', label: t('wall.noTour') }, ...options]}
      value={value === null ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  );
}
