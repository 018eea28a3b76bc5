/** Amounts of storage in the reader's language: "1.2 GB". */
import { useFormat } from './format.ts';
import { useTranslation } from './i18n.ts';

const megabytes = { name: 'megabytes', bytes: 1e6 } as const;
const units = [
  { name: 'terabytes', bytes: 1e12 },
  { name: 'gigabytes', bytes: 1e9 },
  megabytes,
] as const;

/** Returns what writes a number of bytes in the largest unit that it fills, in three digits. */
export function useBytes(): (bytes: number) => string {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return (bytes) => {
    const unit = units.find((one) => bytes >= one.bytes) ?? megabytes;
    const size = formatNumber(bytes / unit.bytes, { maximumSignificantDigits: 3 });
    return t(`recordings.${unit.name}`, { size });
  };
}
