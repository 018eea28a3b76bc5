import { recognitionRoutes, type CheckedPhoto } from '@nazar/contract/recognition.ts';
import { useEffect, useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';

export type PhotoCheck =
  | { readonly state: 'checking' }
  | { readonly state: 'checked'; readonly said: CheckedPhoto }
  /** It cannot be told now; sending the photo will tell. */
  | { readonly state: 'failed'; readonly sentence: string };

/**
 * What a photo is worth, asked as soon as it is chosen and kept by nobody: a query cache would remember people.
 * `faceId`: whose photo it is to be; without it, somebody new.
 */
export function usePhotoCheck(photo: File, faceId: string | undefined): PhotoCheck {
  const [check, setCheck] = useState<PhotoCheck>({ state: 'checking' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const form = new FormData();
    form.append('image', photo);
    call(recognitionRoutes.check, { form, query: { face: faceId }, signal }).then(
      (said) => setCheck({ state: 'checked', said }),
      (error: unknown) => {
        if (!signal.aborted) setCheck({ state: 'failed', sentence: problemSentence(error) });
      },
    );
    return () => controller.abort();
  }, [photo, faceId]);
  return check;
}
