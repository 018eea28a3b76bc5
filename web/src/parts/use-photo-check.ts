import { recognitionRoutes, type CheckedPhoto } from '@nazar/contract/recognition.ts';
import { useEffect, useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import type { ChosenFile } from './chosen-file.ts';

export type PhotoCheck =
  | { readonly state: 'checking' }
  | { readonly state: 'checked'; readonly said: CheckedPhoto }
  /** It cannot be told now; sending the photo will tell. */
  | { readonly state: 'failed'; readonly sentence: string };

/**
 * What a photo is worth, asked as soon as it is chosen and kept by nobody: a query cache would remember people. When
 * another face is chosen, what was said stays until the answer is there. `faceId`: whose photo it is to be; without it,
 * somebody new.
 */
export function usePhotoCheck(
  { file, faceIndex }: ChosenFile,
  faceId: string | undefined,
): PhotoCheck {
  const [check, setCheck] = useState<PhotoCheck>({ state: 'checking' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const form = new FormData();
    form.append('image', file);
    const query = { face: faceId, face_index: faceIndex?.toString() };
    call(recognitionRoutes.check, { form, query, signal }).then(
      (said) => setCheck({ state: 'checked', said }),
      (error: unknown) => {
        if (!signal.aborted) setCheck({ state: 'failed', sentence: problemSentence(error) });
      },
    );
    return () => controller.abort();
  }, [file, faceIndex, faceId]);
  return check;
}
