/**
 * Cameras out of a file of Frigate or go2rtc. The file stays in this page's memory: it is sent to be shown what is in
 * it, and again with what was chosen; nothing is saved before.
 */
import { cameraImportRoutes, type ImportPreview } from '@nazar/contract/camera-import.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { TextareaField } from '#ui/fields.tsx';
import { FileInput } from '#ui/file-input.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { ImportChoice } from './import-choice.tsx';

export interface ImportCamerasProps {
  /** The sentence to show. */
  onImported: (sentence: string) => void;
  onCancel: () => void;
}

export function ImportCameras({ onImported, onCancel }: ImportCamerasProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>({});
  const file = {
    text,
    variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
  };
  const preview = useMutation({
    mutationFn: () => call(cameraImportRoutes.preview, { body: file }),
  });
  const add = useChange('cameras', (choice: { location: string; keys: readonly string[] }) => {
    const found = preview.data?.cameras ?? [];
    const cameras = found
      .filter(({ key }) => choice.keys.includes(key))
      .map(({ key, name }) => ({ key, name }));
    const { location } = choice;
    return call(cameraImportRoutes.add, { body: { ...file, location, cameras } });
  });
  const failed = add.data?.results.filter(({ camera }) => camera === null) ?? [];
  const error = add.error ?? preview.error;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      {failed.length > 0 && (
        <Banner tone="error">
          {failed
            .map(
              ({ name, fault }) => `${name}: ${t(`cameraImport.faults.${fault ?? 'no_source'}`)}`,
            )
            .join(' ')}
        </Banner>
      )}
      {preview.data === undefined ? (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            preview.mutate();
          }}
        >
          <p className="text-ui text-muted">{t('cameraImport.text')}</p>
          <FileInput
            accept=".yml,.yaml"
            prompt={t('cameraImport.choose')}
            onFiles={([chosen]) => void chosen?.text().then(setText)}
          />
          <TextareaField
            label={t('cameraImport.paste')}
            required
            rows={8}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <FormActions
            label={t('cameraImport.show')}
            busy={preview.isPending}
            onCancel={onCancel}
          />
        </form>
      ) : (
        <ImportChoice
          preview={preview.data satisfies ImportPreview}
          variables={variables}
          onVariables={setVariables}
          onAgain={() => preview.mutate()}
          busy={add.isPending || preview.isPending}
          onCancel={onCancel}
          onAdd={(choice) =>
            add.mutate(choice, {
              onSuccess: ({ results }) => {
                if (results.every(({ camera }) => camera !== null)) {
                  onImported(t('cameraImport.done', { count: results.length }));
                }
              },
            })
          }
        />
      )}
    </div>
  );
}
