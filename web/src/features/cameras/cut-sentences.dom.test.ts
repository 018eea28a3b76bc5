/** Sentences that the documents cut with dots. */
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { needSentences, startSentences, useTranslation } from '#lib/i18n.ts';

test('NSH-020 the first part stands as it is stated, then comes the camera or the reason', async () => {
  await startSentences('en');
  await needSentences('every');
  const { t } = renderHook(() => useTranslation()).result.current;
  const [name, reason, message] = ['Gate', 'It broke.', 'Nobody answers.'];
  expect([
    t('recordingControl.stopped', { name }),
    t('cameras.testFailed', { name, message }),
    t('live.lowLatencyFailed', { reason }),
    t('systemLog.failed.invalid', { reason }),
  ]).toEqual([
    'Recording stopped and saved for camera: Gate',
    'Failed to connect to camera: Gate. Nobody answers.',
    'Failed to create low latency stream: It broke. Showing the standard live view instead.',
    'Invalid request: It broke.',
  ]);
});
