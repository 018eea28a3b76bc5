import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import { Video } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';
import { problemSentence } from '#api/problem.ts';
import { recordingSentence } from '#parts/camera-state/camera-state.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { usePlanWords } from './plan-words.ts';
import { useTestRecording, type TestOutcome } from './use-test-recording.ts';

/** A minute to see whether and what is recorded. It follows what is saved, not what is being typed. */
export function TestRecording({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { start, outcome } = useTestRecording(camera);
  const isRunning = outcome.kind === 'running' || outcome.kind === 'listing';
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button look="secondary" busy={start.isPending || isRunning} onClick={() => start.mutate()}>
          <Video aria-hidden />
          {t('recordingSettings.test')}
        </Button>
        <span className="text-meta text-muted">{t('recordingSettings.testHint')}</span>
      </div>
      {start.isError && <Banner tone="error">{problemSentence(start.error)}</Banner>}
      {outcome.kind !== 'none' && <Outcome outcome={outcome} />}
    </div>
  );
}

function Outcome({ outcome }: { outcome: Exclude<TestOutcome, { kind: 'none' }> }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  if (outcome.kind === 'running') return <Running {...outcome} />;
  if (outcome.kind === 'listing') {
    return <output className="text-ui">{t('recordingSettings.testListing')}</output>;
  }
  if (outcome.kind === 'nothing') return <Nothing camera={outcome.camera} />;
  const { id, cameraId, duration, bytes } = outcome.recording;
  return (
    <Banner tone="success">
      {t('recordingSettings.testDone', {
        time: formatSeconds(Math.round(duration)),
        size: words.bytes(bytes),
      })}{' '}
      <Link
        to="/recordings/$cameraId"
        params={{ cameraId }}
        search={{ recording: id }}
        className="underline"
      >
        {t('recordingSettings.testPlay')}
      </Link>
    </Banner>
  );
}

function Running({ camera, leftMs }: Extract<TestOutcome, { kind: 'running' }>) {
  const { t } = useTranslation();
  const sentence = recordingSentence(t, camera);
  return (
    <p className="figures text-ui">
      {t('recordingSettings.testRunning', { time: formatSeconds(Math.ceil(leftMs / 1000)) })}
      {sentence !== '' && <> {sentence}</>}
    </p>
  );
}

function Nothing({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const sentence = recordingSentence(t, camera);
  return (
    <Banner tone="error">
      {t('recordingSettings.testNothing')}
      {sentence !== '' && <> {sentence}</>}
    </Banner>
  );
}
