/** A picture of one of the two streams that are compared, without masks: what was fetched, or why there is none. */
import { alignmentRoutes } from '@nazar/contract/alignment.ts';
import type { StreamName } from '@nazar/contract/cameras.ts';
import { useEffect, useState } from 'react';
import { address } from '#api/call.ts';
import { media } from '#api/media.ts';
import { problemSentence } from '#api/problem.ts';

export type StreamPicture =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly url: string }
  | { readonly kind: 'failed'; readonly sentence: string };

const loading: StreamPicture = { kind: 'loading' };

/** `takenAtMs`: asked for anew with each change of it. */
export function useStreamPicture(id: string, stream: StreamName, takenAtMs: number): StreamPicture {
  const path = address(alignmentRoutes.picture.path, { params: { id }, query: { stream } });
  const from = `${path}&v=${takenAtMs}`;
  const [known, setKnown] = useState<{ from: string; picture: StreamPicture } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (picture: StreamPicture): void => {
      if (isCurrent) setKnown({ from, picture });
    };
    const fetched = media(from);
    fetched.url.then(
      (url) => show({ kind: 'shown', url }),
      (error: unknown) => show({ kind: 'failed', sentence: problemSentence(error) }),
    );
    return () => {
      isCurrent = false;
      fetched.release();
    };
  }, [from]);
  return known?.from === from ? known.picture : loading;
}
