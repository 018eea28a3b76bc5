import { Check } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { steps, type Step } from './steps.ts';

/** How far one has come. On phones only the current step says its name. */
export function StepList({ current }: { current: Step | null }) {
  const { t } = useTranslation();
  const at = current === null ? -1 : steps.indexOf(current);
  return (
    <ol aria-label={t('setup.progress')} className="flex items-center gap-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={cx('flex items-center gap-2', index < steps.length - 1 && 'flex-1')}
        >
          <span
            aria-hidden
            className={cx(
              'figures grid size-6 shrink-0 place-items-center rounded-full text-meta font-semibold',
              index <= at ? 'bg-primary text-white' : 'bg-surface-3 text-muted',
            )}
          >
            {index < at ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
          </span>
          <span
            className={cx(
              'text-meta font-medium',
              step === current ? 'text-fg' : 'text-muted max-sm:sr-only',
            )}
          >
            {t(`setup.step.${step}`)}
          </span>
          {index < steps.length - 1 && <span aria-hidden className="h-px min-w-2 flex-1 bg-line" />}
        </li>
      ))}
    </ol>
  );
}
