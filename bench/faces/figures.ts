/** The figures of a run. */
import type { Conditions } from '../rig/processes.ts';
import type { Film } from './film.ts';
import type { Share } from './intervals.ts';
import type { Reliability } from './reliability.ts';
import type { Speed } from './speed.ts';
import type { WrongPhotos } from './wrong-photos.ts';

export interface Verification {
  readonly photos: number;
  readonly people: number;
  readonly genuinePairs: number;
  readonly impostorPairs: number;
  readonly detectionRate: Share;
  readonly accuracy: Share;
  /** By FAR. */
  readonly tar: Readonly<Record<string, Share>>;
  /** The same for faces that were found, as many papers report it. */
  readonly tarFound: Readonly<Record<string, Share>>;
}

/** A limit found with some people, used with others. */
export interface Transfer {
  readonly far: string;
  readonly threshold: number;
  readonly tar: number;
  /** The real FAR there. */
  readonly farThere: number;
}

export interface Rung {
  /** Faces found where they are, of those that could be shrunk so far. */
  readonly detection: Share;
  /** TAR at FAR 0.1 %, shrunken probe against full-size gallery; not found is not accepted. */
  readonly tar: Share;
  readonly tarFound: Share;
  /** FAR at the limit that gives 0.1 % on full-size photos. */
  readonly farAtFullSizeLimit: number;
}

export interface Group {
  readonly verification: Verification;
  readonly openSet: Readonly<Record<'k1' | 'k3', Share>>;
  readonly transfers: readonly Transfer[];
  /** TAR over FAR, to be drawn. */
  readonly curve: readonly { readonly far: number; readonly tar: number }[];
}

/** The figures of one engine; parts that were left out are absent. */
export interface Figures {
  readonly name: string;
  /** Photos as people take them. */
  everyday?: Group;
  /** Sets of thumbnails: a test of low resolution. */
  thumbnails?: Group;
  /** Whether what is shown in percent is right as often. */
  reliability?: Reliability;
  /** Photos of other people among those of a person. */
  mistakes?: WrongPhotos;
  /** With the thumbnails, which no person can be enrolled with. */
  smallMistakes?: WrongPhotos;
  /** By pixels between the eyes. */
  ladder?: Record<string, Rung>;
  /** By vectors in the gallery, milliseconds of the processor. */
  searchMs?: Record<string, number>;
}

/** All engines together, in turn. */
export interface Report {
  readonly ours: Figures;
  readonly peers: readonly Figures[];
  readonly thumbnails: readonly string[];
  readonly unreadable: number;
  speed?: Speed;
  film?: Film;
  conditions?: Conditions;
}
