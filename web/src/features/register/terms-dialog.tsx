import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

const sections = ['use', 'account', 'people', 'data', 'end'] as const;

export interface TermsDialogProps {
  open: boolean;
  onAccept: () => void;
  onClose: () => void;
}

export function TermsDialog({ open, onAccept, onClose }: TermsDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onClose={onClose} title={t('register.terms')}>
      <div className="grid gap-4">
        {sections.map((section) => (
          <section key={section}>
            <h3 className="text-ui font-semibold">{t(`register.term.${section}Title`)}</h3>
            <p className="mt-1 text-ui text-muted">{t(`register.term.${section}`)}</p>
          </section>
        ))}
      </div>
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button onClick={onAccept}>{t('register.accept')}</Button>
      </Actions>
    </Dialog>
  );
}
