/** How it is with a camera whose picture is shown beside the sentence: what this viewer gets of it counts. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useState } from 'react';
import type { LiveReport } from '../player/live-view.tsx';
import { noView } from './camera-facts.ts';
import type { CameraState } from './camera-state.ts';
import { useReportedState } from './use-camera-state.ts';

export interface WatchedCamera {
  readonly state: CameraState;
  /** Give it to the `LiveView`. */
  readonly onReport: (report: LiveReport) => void;
  readonly report: LiveReport;
}

export function useWatchedCamera(camera: Camera, knownAtMs: number | null = null): WatchedCamera {
  const [report, onReport] = useState<LiveReport>({ view: noView, health: null });
  return { state: useReportedState(camera, report, knownAtMs), onReport, report };
}
