/** What is inferred of faces, how often that is wrong, and where it is forbidden, before anything is. */
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

export interface AttributeConfirmationProps {
  open: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Titles with their paragraphs. */
const parts = [
  { title: 'what', lines: ['once', 'seen'] },
  { title: 'wrong', lines: ['age', 'gender', 'emotion', 'source', 'own', 'unknown'] },
  { title: 'law', lines: ['forbidden', 'check'] },
] as const;

export function AttributeConfirmation({ open, onConfirm, onClose }: AttributeConfirmationProps) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('recognition.confirm.title')} width="medium" onClose={onClose}>
      <div className="grid gap-4 text-ui">
        {parts.map(({ title, lines }) => (
          <section key={title} className="grid gap-1">
            <h3 className="font-semibold">{t(`recognition.confirm.titles.${title}`)}</h3>
            <ul className="grid list-disc gap-1 pl-5">
              {lines.map((line) => (
                <li key={line}>{t(`recognition.confirm.lines.${line}`)}</li>
              ))}
            </ul>
          </section>
        ))}
        <p className="text-muted">{t('recognition.confirm.recorded')}</p>
      </div>
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button onClick={onConfirm}>{t('recognition.confirm.confirm')}</Button>
      </Actions>
    </Dialog>
  );
}
