import type { ZoneFields } from '@nazar/contract/zones.ts';
import { usualRecording, type TakenRecording } from './frigate-recording.ts';
import type { Path, Remark } from './settings.ts';

/** One source of a stream, and where it stands. */
export interface WrittenSource {
  readonly text: string;
  readonly path: Path;
}

/** A camera of the file: the sources of each of its streams, the first usable of which is taken. */
export interface Written {
  readonly key: string;
  readonly path: Path;
  readonly name: string;
  readonly main: readonly WrittenSource[];
  /** Empty where there is no second stream. */
  readonly sub: readonly WrittenSource[];
  readonly isEnabled: boolean;
  /** Names of restreams that the file does not have. */
  readonly unknown: readonly string[];
  readonly settings: WrittenSettings;
}

/** What else it says of the camera that Nazar has, too. */
export interface WrittenSettings {
  /** Null: the file turns it off. */
  readonly recording: TakenRecording | null;
  readonly enable_audio: boolean;
  readonly enable_face_recognition: boolean;
  readonly zones: readonly ZoneFields[];
  /** They were drawn on the second stream's picture. */
  readonly zonesOfSub: boolean;
  /** Where it is asked to move, with its sign-in; null: the file says nothing of it. */
  readonly device: WrittenSource | null;
  /** What is not taken as it stands. */
  readonly remarks: readonly Remark[];
}

/** What a new camera has in the form. */
export const usualSettings: WrittenSettings = {
  recording: usualRecording,
  enable_audio: false,
  enable_face_recognition: true,
  zones: [],
  zonesOfSub: false,
  device: null,
  remarks: [],
};

/** A group of cameras, by their keys. */
export interface WrittenGroup {
  readonly name: string;
  readonly cameras: readonly string[];
  readonly path: Path;
}
