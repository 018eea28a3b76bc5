import type { LeftOut } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';

/** Each source that is not taken, and why. */
export function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const { t } = useTranslation();
  if (leftOut.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-ui font-semibold">{t('cameraImport.leftOut')}</h3>
      <ul className="grid gap-1.5 text-meta">
        {leftOut.map(({ key, name, fault, about }, n) => (
          // oxlint-disable-next-line react/no-array-index-key -- a camera may have several of the same fault
          <li key={`${key} ${n}`} className="break-words">
            <span className="font-medium">{name}</span>{' '}
            <span className="text-muted">
              {joined([t(`cameraImport.faults.${fault}`), about], ' ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
