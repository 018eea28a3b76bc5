import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { problemSentence } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { Failed } from '#ui/empty-state.tsx';
import { Waiting } from '#ui/spinner.tsx';
import type { Step } from './steps.ts';

const one = { query: { page_size: 1 } };

/** Where a user who comes back goes on: at the first thing that does not exist yet. */
export function Resume(props: { onStep: (step: Step) => void; onFinished: () => void }) {
  const { onStep, onFinished } = props;
  const cameras = useQuery(ask('cameras', cameraRoutes.list, one));
  const faces = useQuery(ask('faces', faceRoutes.list, one));
  const known = cameras.data !== undefined && faces.data !== undefined;
  const next: Step | null =
    cameras.data?.count === 0 ? 'camera' : faces.data?.count === 0 ? 'face' : null;
  useEffect(() => {
    if (!known) return;
    if (next === null) onFinished();
    else onStep(next);
    // oxlint-disable-next-line react/exhaustive-deps -- decided once, when both answers are here
  }, [known]);
  const error = cameras.error ?? faces.error;
  if (error === null) return <Waiting />;
  return (
    <Failed
      text={problemSentence(error)}
      onRetry={() => {
        void cameras.refetch();
        void faces.refetch();
      }}
    />
  );
}
