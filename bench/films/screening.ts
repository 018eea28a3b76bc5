/**
 * Films through everything that happens to a camera's pictures: decoder, motion and schedule of a media host, the
 * vision host, and the server's pipeline with tracks, votes and visits. Only the time, which is the film's, and the
 * log, which is in memory, are made up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Gallery } from '../../server/src/faces/gallery/gallery.ts';
import { systemClock } from '../../server/src/lib/clock.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { Topic } from '../../server/src/lib/topic.ts';
import type { MainStreamFaces, HealthNews } from '../../server/src/media/media.ts';
import type { MainStreamRequest, FrameResult } from '../../server/src/media/protocol/messages.ts';
import type { FaceLabel } from '../../server/src/live/face-label.ts';
import { Pipeline, type PipelineOptions } from '../../server/src/pipeline.ts';
import {
  TrackedVisits,
  type TrackedVisitsOptions,
} from '../../server/src/visits/tracked-visits.ts';
import type { VisionClient } from '../../server/src/vision/client.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import type { FaceView, Vision } from '../../server/src/vision/vision.ts';
import { FilmLog, type Logged } from './log.ts';
import { FilmClock, Projector, type Main } from './play.ts';

/** A person in the gallery. */
export interface Enrolled {
  readonly person: string;
  readonly vectors: readonly Float32Array[];
}

/** What was drawn over one picture, and the faces it was made of. */
export interface Drawn {
  /** Milliseconds of the film. */
  readonly atMs: number;
  readonly boxes: readonly FaceLabel[];
  readonly faces: readonly FaceView[];
}

/** A vector of a film, and the person it was nearest to. */
export interface Compared {
  readonly atMs: number;
  readonly person: string;
  readonly distance: number;
}

/** What was decided about a track, in the order it was decided. */
export interface Decided {
  readonly atMs: number;
  readonly track: string;
  /** Null: an unknown person. */
  readonly person: string | null;
}

export interface Shown {
  readonly drawn: readonly Drawn[];
  readonly compared: readonly Compared[];
  readonly decided: readonly Decided[];
  /** Their times begin with `startMs`. */
  readonly visits: readonly Logged[];
  readonly startMs: number;
  /** Main-stream detections, and those that could not be made. */
  readonly mainStream: { readonly detected: number; readonly refused: number };
  /** Processor milliseconds of this process and the vision host. */
  readonly cpuMs: number;
}

const fail = (error: unknown): never => {
  throw error;
};
const quiet = createLog('silent');
const keepsStrangers = async (): Promise<boolean> => true;
/** The defaults of an installation. */
const policy = { minProbability: 0.75, minFaceWidth: 50 };
const maxFailures = 20;
const retryAfterMs = 500;
const packName = `${measuredPack.id}@${measuredPack.version}`;

/** A busy machine answers late, or not in time: the film waits for it. */
async function insisted<T>(ask: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (failures >= maxFailures) throw error;
      await systemClock.wait(retryAfterMs);
    }
  }
}

export class Screening {
  readonly #vision: Vision;
  readonly #gallery = new Gallery();
  readonly #clock = new FilmClock();
  readonly #startMs = this.#clock.now();
  readonly #log = new FilmLog();
  readonly #media = {
    seen: new Topic<FrameResult<FaceView> & { readonly chips: Buffer }>(fail),
    healthChanged: new Topic<HealthNews>(fail),
  };
  readonly #trackedVisits: TrackedVisits;
  readonly #pipeline: Pipeline;
  readonly #projector: Projector;
  readonly #drawn: Drawn[] = [];
  readonly #compared: Compared[] = [];
  readonly #decided: Decided[] = [];
  readonly #embedding = new Set<Promise<unknown>>();
  readonly #mainStream = { detected: 0, refused: 0 };
  #faces: readonly FaceView[] = [];

  constructor(vision: Vision, client: VisionClient, people: readonly Enrolled[]) {
    this.#vision = vision;
    for (const { person, vectors } of people) {
      this.#gallery.replace(
        person,
        vectors.map((vector) => ({ pack: packName, vector })),
      );
    }
    const clock = this.#clock;
    const { writer } = this.#log;
    const changed: TrackedVisitsOptions['changed'] = new Topic(fail);
    this.#trackedVisits = new TrackedVisits({
      visits: writer,
      changed,
      keepsStrangers,
      clock,
      attributesOf: async () => null,
      log: quiet,
    });
    this.#pipeline = new Pipeline(this.#parts());
    this.#projector = new Projector({
      clock,
      detect: (view, scene, isExtra) => insisted(() => client.detect(view, scene, isExtra)),
      seen: (seen, chips) => this.#see(seen as FrameResult<FaceView>, chips),
      finished: () => this.#finished(),
    });
  }

  /** `main`: the film is of a sub-stream. */
  show(film: string, main: Main | null = null): Promise<void> {
    return this.#projector.show(film, main);
  }

  async end(): Promise<Omit<Shown, 'cpuMs'>> {
    this.#projector[Symbol.dispose]();
    this.#pipeline[Symbol.dispose]();
    await this.#trackedVisits[Symbol.asyncDispose]();
    return {
      drawn: this.#drawn,
      compared: this.#compared,
      decided: this.#decided,
      visits: this.#log.visits,
      startMs: this.#startMs,
      mainStream: this.#mainStream,
    };
  }

  #parts(): PipelineOptions {
    return {
      media: {
        ...this.#media,
        detectInMainStream: (request) => this.#detectInMainStream(request),
        embedded: () => undefined,
      },
      vision: {
        pack: this.#vision.pack,
        served: this.#vision.served,
        embed: (chip, count, pack) => this.#embed(chip, count, pack),
      },
      faces: {
        candidates: (_camera, vector, pack) => this.#candidates(vector, pack),
        personOf: (identityId) => this.#personOf(identityId),
      },
      trackedVisits: {
        decided: (decision) => {
          const { track, identityId: person } = decision;
          this.#decided.push({ atMs: this.#clock.monotonicMs(), track, person });
          this.#trackedVisits.decided(decision);
        },
        stillSeen: (track, atMs) => this.#trackedVisits.stillSeen(track, atMs),
        recorded: (track) => this.#trackedVisits.recorded(track),
      },
      viewers: {
        showFaces: (_camera, { main }, _shownIn, boxes) =>
          void this.#drawn.push({ atMs: main! * 1000, boxes, faces: this.#faces }),
      },
      detector: { show: () => undefined, forget: () => undefined },
      policy,
      log: quiet,
    };
  }

  #see(seen: FrameResult<FaceView>, chips: Buffer): void {
    this.#faces = seen.faces;
    this.#media.seen.publish({ ...seen, chips });
  }

  #embed(...asked: Parameters<Vision['embed']>): ReturnType<Vision['embed']> {
    return this.#awaited(insisted(() => this.#vision.embed(...asked)));
  }

  async #detectInMainStream(request: MainStreamRequest): Promise<MainStreamFaces<FaceView> | null> {
    const found = await this.#awaited(this.#projector.detectInMainStream(request));
    this.#mainStream[found ? 'detected' : 'refused'] += 1;
    return found as MainStreamFaces<FaceView> | null;
  }

  /** The film waits for it. */
  #awaited<T>(made: Promise<T>): Promise<T> {
    this.#embedding.add(made);
    void made.finally(() => this.#embedding.delete(made)).catch(() => undefined);
    return made;
  }

  #candidates(
    vector: Float32Array,
    pack: string,
  ): ReturnType<PipelineOptions['faces']['candidates']> {
    const found = this.#gallery.nearest(vector, pack, 2);
    const [first] = found;
    if (first) {
      const { identityId: person, distance } = first;
      this.#compared.push({ atMs: this.#clock.monotonicMs(), person, distance });
    }
    const nearest = found.map(({ identityId, distance }) => {
      return { who: identityId, identity: identityId, distance };
    });
    return [{ nearest, gallerySize: this.#gallery.size }];
  }

  #personOf(identityId: string): ReturnType<PipelineOptions['faces']['personOf']> {
    const personId = this.#log.writer.personOf(identityId);
    return personId === null ? null : { personId, name: personId, addedBy: null, categoryId: '' };
  }

  /** A main-stream detection is followed by a vector. */
  async #finished(): Promise<void> {
    do {
      await Promise.allSettled(this.#embedding);
      await nextTurn();
    } while (this.#embedding.size > 0);
  }
}
