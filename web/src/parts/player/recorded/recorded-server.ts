/** What the recorded player asks of the server for one camera. */
import { playbackRoutes, type PlaybackTicket } from '@nazar/contract/playback.ts';
import { recordingRoutes, type CameraTimeline } from '@nazar/contract/recordings.ts';
import { call } from '#api/call.ts';

export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Both throw a `Problem`. */
export interface RecordedServer {
  /** `encoded`: in a form that every browser plays. */
  begin(period: Period, encoded: boolean, signal: AbortSignal): Promise<PlaybackTicket>;
  timeline(
    period: Period,
    resolutionMs: number,
    signal: AbortSignal,
  ): Promise<Pick<CameraTimeline, 'spans' | 'gaps'>>;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function recordedServer(cameraId: string): RecordedServer {
  const params = { id: cameraId };
  return {
    begin({ fromMs, untilMs }, encoded, signal) {
      const period = { from: iso(fromMs), until: iso(untilMs) };
      const body = { ...period, with_playlist: true, ...(encoded && { encoded }) };
      return call(playbackRoutes.begin, { params, body, signal });
    },
    timeline({ fromMs, untilMs }, resolutionMs, signal) {
      const query = { from: iso(fromMs), until: iso(untilMs), resolution_ms: resolutionMs };
      return call(recordingRoutes.timeline, { params, query, signal });
    },
  };
}
