import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { FormActions } from '#ui/form-actions.tsx';

export interface StepActionsProps {
  /** The label of the button that sends the step. */
  label: string;
  /** It is being said. */
  busy: boolean;
  /** Why it could not be. */
  refused: string | null;
  onBack: () => void;
}

/** How a step of the dialog ends: back to what is known of the stranger, or say it. */
export function StepActions({ label, busy, refused, onBack }: StepActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <FormActions
        label={label}
        busy={busy}
        onCancel={onBack}
        cancelLabel={t('strangers.back')}
        className="mt-0"
      />
    </>
  );
}
