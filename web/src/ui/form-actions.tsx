import { useTranslation } from '#lib/i18n.ts';
import { Button } from './button.tsx';
import { Actions } from './actions.tsx';

export interface FormActionsProps {
  /** The label of the button that sends the form. */
  label: string;
  look?: 'primary' | 'danger';
  /** It is being sent. */
  busy: boolean;
  onCancel: () => void;
  /** Absent: 'Cancel'. */
  cancelLabel?: string;
  className?: string | undefined;
}

/** How a form ends: away without having done anything, or send it. */
export function FormActions({
  label,
  look = 'primary',
  busy,
  onCancel,
  cancelLabel,
  className,
}: FormActionsProps) {
  const { t } = useTranslation();
  return (
    <Actions className={className}>
      <Button look="secondary" onClick={onCancel}>
        {cancelLabel ?? t('ui.cancel')}
      </Button>
      <Button type="submit" look={look} busy={busy}>
        {label}
      </Button>
    </Actions>
  );
}
