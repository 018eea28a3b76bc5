/** Has the server ask the camera of a form, before anything is saved (CAM-053 to CAM-057). */
import { probingRoutes } from '@nazar/contract/probing.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import type { FieldsProps } from './camera-fields.tsx';
import { useConnectionWords, type ConnectionWords } from './connection-words.ts';

export interface FormTest {
  readonly isRunning: boolean;
  /** What came of the last one. */
  readonly said: ConnectionWords | null;
  /** A JPEG in base64. */
  readonly still: string | null;
  readonly start: () => void;
  readonly dismiss: () => void;
}

/** What the camera is called in sentences: before it has a name, what it is reached by. */
function nameOf(form: FieldsProps['form']): string {
  const { name, url = '' } = form.getValues();
  return name.trim() || (URL.parse(url)?.host ?? '') || url;
}

export function useConnectionTest(
  form: FieldsProps['form'],
  camera: FieldsProps['camera'],
): FormTest {
  const words = useConnectionWords();
  const [said, setSaid] = useState<ConnectionWords | null>(null);
  const [still, setStill] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: () => {
      const { type, url, username, password, certificate } = form.getValues();
      const body = { name: nameOf(form), type, url, username, password, certificate };
      return call(probingRoutes.testUnsaved, {
        body: camera === null ? body : { ...body, camera: camera.id },
      });
    },
    onMutate: () => {
      setSaid(null);
      setStill(null);
    },
    onSuccess: (answer) => {
      setSaid(words.answered(nameOf(form), answer));
      setStill(answer.still);
    },
    onError: (error) => setSaid(words.refused(nameOf(form), error)),
  });
  return {
    isRunning: test.isPending,
    said,
    still,
    start: () => test.mutate(),
    dismiss: () => setSaid(null),
  };
}
