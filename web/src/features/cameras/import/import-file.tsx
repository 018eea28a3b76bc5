import { FileCode } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { TextareaField } from '#ui/fields.tsx';
import { FileInput } from '#ui/file-input.tsx';

export interface ImportFileProps {
  /** The text is pasted, where the file is not at hand. */
  isPasted: boolean;
  onPasted: () => void;
  onFile: (file: File) => void;
  onText: (text: string) => void;
  onCancel: () => void;
  busy: boolean;
}

/** A file, read as soon as it is chosen, or its text. Neither is shown: there are passwords in it. */
export function ImportFile(props: ImportFileProps) {
  const { isPasted, onPasted, onFile, onText, onCancel, busy } = props;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onText(text);
      }}
    >
      <p className="text-ui text-muted">{t('cameraImport.text')}</p>
      <FileInput
        accept=".yml,.yaml"
        icon={<FileCode />}
        prompt={t('cameraImport.choose')}
        onFiles={([chosen]) => chosen && onFile(chosen)}
      />
      {isPasted ? (
        <TextareaField
          label={t('cameraImport.paste')}
          hint={t('cameraImport.pasteHint')}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          className="[&_textarea]:[-webkit-text-security:disc]"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : (
        <Button look="link" className="justify-self-start" onClick={onPasted}>
          {t('cameraImport.pasteInstead')}
        </Button>
      )}
      <Actions>
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        {isPasted && (
          <Button type="submit" busy={busy} disabled={text.trim() === ''}>
            {t('cameraImport.show')}
          </Button>
        )}
      </Actions>
    </form>
  );
}
