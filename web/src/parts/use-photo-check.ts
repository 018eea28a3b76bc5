import { recognitionRoutes, type CheckedPhoto } from '@nazar/contract/recognition.ts';
import { useEffect, useState } from 'react';
import { retryWhileBusy } from '#api/busy.ts';
import { call } from '#api/call.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { appendFile, type ChosenFile } from './chosen-file.ts';

export type PhotoCheck =
  | { readonly state: 'checking' }
  /** The server has no room for it now and is asked again. */
  | { readonly state: 'waiting' }
  | { readonly state: 'checked'; readonly said: CheckedPhoto }
  /** It is no photo that can be used, and would not be saved. */
  | { readonly state: 'refused'; readonly sentence: string }
  /** The photo can't be checked now; it is checked when it is sent. */
  | { readonly state: 'failed'; readonly sentence: string };

/**
 * What a photo is worth, asked as soon as it is chosen and never kept: a query cache would remember people. When
 * another face is chosen, what was said stays until the answer is there. `faceId`: whose photo it is to be; without it,
 * a new person. `hasPreview`: with the picture, which this browser cannot show by itself.
 */
export function usePhotoCheck(
  { file, faceIndex }: ChosenFile,
  faceId: string | undefined,
  hasPreview: boolean,
): PhotoCheck {
  const [check, setCheck] = useState<PhotoCheck>({ state: 'checking' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const form = new FormData();
    appendFile(form, 'image', file);
    const preview = hasPreview ? ('true' as const) : undefined;
    const query = { face: faceId, face_index: faceIndex?.toString(), preview };
    retryWhileBusy(() => call(recognitionRoutes.check, { form, query, signal }), {
      signal,
      onWait: () => setCheck((said) => (said.state === 'checked' ? said : { state: 'waiting' })),
    }).then(
      (said) => setCheck({ state: 'checked', said }),
      (error: unknown) => {
        if (signal.aborted) return;
        const state = isOfPhoto(error) ? 'refused' : 'failed';
        setCheck({ state, sentence: problemSentence(error) });
      },
    );
    return () => controller.abort();
  }, [file, faceIndex, faceId, hasPreview]);
  return check;
}

/** Whether the server refuses the file itself, so that saving it would fail in the same way. */
const isOfPhoto = (error: unknown): boolean =>
  error instanceof Problem && error.code.startsWith('image_');
