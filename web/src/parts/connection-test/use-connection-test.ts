/** Has the server ask the camera of a form, before anything is saved (CAM-053 to CAM-057). */
import { probingRoutes, type UnsavedAddress } from '@nazar/contract/probing.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod/mini';
import { call } from '#api/call.ts';
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

export type UnsavedCamera = z.input<typeof UnsavedAddress>;

/** What the camera is called in sentences: before it has a name, what it is reached by. */
const nameOf = ({ name = '', url = '' }: UnsavedCamera): string =>
  name.trim() || (URL.parse(url)?.host ?? '') || url;

/** `read`: what stands in the form by now. */
export function useConnectionTest(read: () => UnsavedCamera): FormTest {
  const words = useConnectionWords();
  const [said, setSaid] = useState<ConnectionWords | null>(null);
  const [still, setStill] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: (camera: UnsavedCamera) =>
      call(probingRoutes.testUnsaved, { body: { ...camera, name: nameOf(camera) } }),
    onMutate: () => {
      setSaid(null);
      setStill(null);
    },
    onSuccess: (answer, camera) => {
      setSaid(words.answered(nameOf(camera), answer));
      setStill(answer.still);
    },
    onError: (error, camera) => setSaid(words.refused(nameOf(camera), error)),
  });
  return {
    isRunning: test.isPending,
    said,
    still,
    start: () => test.mutate(read()),
    dismiss: () => setSaid(null),
  };
}
