/**
 * The file of an import, what the server finds in it and what became of the choice. The file stays in this page's
 * memory, with its passwords: it is sent to be shown what is in it, and again with what was chosen.
 */
import {
  cameraImportRoutes,
  maxImportChars,
  maxImportLines,
  type ImportChoice,
  type ImportOutcome,
} from '@nazar/contract/camera-import.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';

/** Values by the names of variables. */
export type Variables = Readonly<Record<string, string>>;
export type Choice = Pick<ImportChoice, 'location' | 'activate' | 'cameras'>;

/** UTF-8 takes up to four bytes for a character. */
const maxFileBytes = 4 * maxImportChars;

export function useImport(onImported: (count: number) => void) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [variables, setVariables] = useState<Variables>({});
  const [isTooLong, setIsTooLong] = useState(false);
  const [outcome, setOutcome] = useState<readonly ImportOutcome[] | null>(null);
  const given = Object.entries(variables).map(([name, value]) => ({ name, value }));
  const preview = useMutation({
    mutationFn: (file: string) =>
      call(cameraImportRoutes.preview, { body: { text: file, variables: given } }),
    // Nothing of the file outlives the dialog.
    gcTime: 0,
  });
  const add = useChange('cameras', (choice: Choice) =>
    call(cameraImportRoutes.add, { body: { text, variables: given, ...choice } }),
  );
  const read = (file: string): void => {
    add.reset();
    setOutcome(null);
    setIsTooLong(file.length > maxImportChars);
    if (file.length > maxImportChars) preview.reset();
    else preview.mutate(file);
    setText(file);
  };
  const tooLong = t('problem:problem.import_too_long', { lines: maxImportLines });
  const error = add.error ?? preview.error;
  return {
    preview: preview.data ?? null,
    outcome,
    variables,
    setVariables,
    error: isTooLong ? tooLong : error && problemSentence(error),
    isBusy: preview.isPending || add.isPending,
    read,
    readAgain: () => read(text),
    choose: async (file: File): Promise<void> => {
      if (file.size > maxFileBytes) setIsTooLong(true);
      else read(await file.text());
    },
    forget: (): void => {
      preview.reset();
      add.reset();
      setText('');
      setVariables({});
      setOutcome(null);
    },
    add: (choice: Choice): void =>
      add.mutate(choice, {
        onSuccess: ({ results }) => {
          if (results.every(({ camera }) => camera !== null)) onImported(results.length);
          else setOutcome(results);
        },
      }),
  };
}
