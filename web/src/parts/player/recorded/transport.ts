/** What a timeline, controls and pages need of what plays: one camera's recordings, or several in step. */
import type { RecordedPlayback } from './recorded-playback.ts';

export type Transport = Pick<
  RecordedPlayback,
  | 'state'
  | 'momentMs'
  | 'shownMs'
  | 'isPlaying'
  | 'speed'
  | 'seek'
  | 'skip'
  | 'setPlaying'
  | 'setSpeed'
  | 'retry'
>;
