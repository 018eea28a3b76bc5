import type { ZoneFields } from '@nazar/contract/zones.ts';
import { usualRecording, type TakenRecording } from './frigate-recording.ts';
import type { Path, Remark } from './settings.ts';

/** One source of a stream, and its path in the file. */
export interface WrittenSource {
  readonly text: string;
  readonly path: Path;
}

/** A camera of the file: the sources of each of its streams, the first usable of which is used. */
export interface Written {
  readonly key: string;
  readonly path: Path;
  readonly name: string;
  readonly main: readonly WrittenSource[];
  /** Empty if there is no sub-stream. */
  readonly sub: readonly WrittenSource[];
  readonly isEnabled: boolean;
  /** Names of restreams that the file does not have. */
  readonly unknown: readonly string[];
  readonly settings: WrittenSettings;
}

/** Further settings of the camera that Nazar has, too. */
export interface WrittenSettings {
  /** Null: the file turns it off. */
  readonly recording: TakenRecording | null;
  readonly enable_audio: boolean;
  readonly enable_face_recognition: boolean;
  readonly zones: readonly ZoneFields[];
  /** The zones were drawn on the sub-stream's picture. */
  readonly zonesOfSub: boolean;
  /** The address for moving the camera, with its sign-in; null: the file has none. */
  readonly device: WrittenSource | null;
  /** Settings that are not taken over unchanged. */
  readonly remarks: readonly Remark[];
}

/** The settings of a new camera in the form. */
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
