/** Runs the pictures of a film one after another through engine, tracker and votes, as those of a camera. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Gallery } from '../../server/src/faces/gallery/gallery.ts';
import type { Engine } from '../../server/src/vision/engine.ts';
import { CameraTracks, type Decision } from '../../server/src/vision/tracking/camera-tracks.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import type { Name } from './verdict.ts';

export interface Watched {
  /** Each track's names, when they were first given. */
  readonly names: readonly Name[];
  /** Processor milliseconds of a picture, including embedding and matching. */
  readonly cpuMs: number;
}

/** Waits for the vectors of one picture before the next, as with an idle machine. */
export async function watch(
  engine: Engine,
  pictures: readonly Picture[],
  everyMs: number,
  gallery: Gallery,
): Promise<Watched> {
  const names = new Map<string, Name>();
  const vectors: Promise<unknown>[] = [];
  let at = 0;
  const embed = (chip: Buffer): Promise<Float32Array[]> => {
    const made = engine.embed(chip, 1);
    vectors.push(made);
    return made;
  };
  const tracks = tracksOf(engine, gallery, embed, ({ track, outcome, ended }) => {
    if (outcome.kind !== 'known' || ended) return;
    const { identity } = outcome;
    const key = `${track} ${identity}`;
    if (!names.has(key)) names.set(key, { at, identity });
  });
  const before = process.cpuUsage();
  for (const picture of pictures) {
    const { faces, chips } = await engine.detect(picture);
    const { width, height } = picture;
    tracks.add({ at, width, height, cut: false, faces, chips });
    await Promise.all(vectors.splice(0));
    await nextTurn();
    at += everyMs;
  }
  tracks.close();
  const { user, system } = process.cpuUsage(before);
  return { names: [...names.values()], cpuMs: (user + system) / 1000 / pictures.length };
}

function tracksOf(
  { pack }: Engine,
  gallery: Gallery,
  embed: (chip: Buffer) => Promise<Float32Array[]>,
  decided: (decision: Decision) => void,
): CameraTracks {
  const { calibration } = pack.embedder;
  return new CameraTracks({
    split: calibration.split,
    // Its JPEG is for the log, which does not exist here.
    embed: async (chip) => ({ pack, vectors: await embed(chip), jpegs: [Buffer.alloc(0)] }),
    nearest: (vector) => {
      const found = gallery.nearest(vector, `${pack.id}@${pack.version}`, 2);
      const nearest = found.map(({ identityId, distance }) => {
        return { who: identityId, identity: identityId, distance };
      });
      return [{ nearest, gallerySize: gallery.size }];
    },
    rules: () => ({ calibration }),
    decided,
    failed: (error) => {
      throw error;
    },
  });
}
