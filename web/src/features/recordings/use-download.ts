/**
 * A recording as one file. The server makes it in the background; then a ticket lets the browser itself save
 * it, however large it is.
 */
import { exportRoutes, type RecordingExport } from '@nazar/contract/exports.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { saveFrom } from '#lib/save-file.ts';

const askEveryMs = 1000;

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });

const isPending = ({ status }: RecordingExport): boolean =>
  status === 'waiting' || status === 'running';

/** Never answers once it is cancelled. Throws a Problem. */
async function exportOf(
  recordingId: string,
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<RecordingExport> {
  let asked = await call(exportRoutes.ofRecording, { params: { id: recordingId }, signal });
  while (isPending(asked)) {
    onProgress(asked.progress);
    await wait(askEveryMs, signal);
    asked = await call(exportRoutes.read, { params: { id: asked.id }, signal });
  }
  return asked;
}

export interface Download {
  /** 0 to 1 while the file is being made; null: none is. */
  readonly progress: number | null;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** Reports how it ended; a download that is cancelled, or whose page is left, ends without a word. */
export function useDownload(
  recordingId: string,
  onDone: (sentence: string) => void,
  onFailed: (sentence: string) => void,
): Download {
  const { t } = useTranslation();
  const [progress, setProgress] = useState<number | null>(null);
  const work = useRef<AbortController | null>(null);
  const cancel = useCallback(() => {
    work.current?.abort();
    work.current = null;
    setProgress(null);
  }, []);
  useEffect(() => cancel, [cancel]);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const made = await exportOf(recordingId, setProgress, signal);
      if (made.status === 'failed') {
        onFailed(t('problem:problem.export_failed'));
        return;
      }
      const { address } = await call(exportRoutes.ticket, { params: { id: made.id }, signal });
      saveFrom(address);
      onDone(t('recordings.downloading'));
    } catch (error) {
      if (!signal.aborted) onFailed(problemSentence(error));
    } finally {
      if (!signal.aborted) setProgress(null);
    }
  };
  const start = (): void => {
    cancel();
    work.current = new AbortController();
    setProgress(0);
    void run(work.current.signal);
  };
  return { progress, start, cancel };
}
