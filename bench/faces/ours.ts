/** The product's engine with the pack that is measured, and the product's gallery: nothing is set here. */
import { Gallery } from '../../server/src/faces/gallery/gallery.ts';
import { distance } from '../../server/src/vision/embed.ts';
import { Engine } from '../../server/src/vision/engine.ts';
import { chipOf } from '../../server/src/vision/chip.ts';
import type { FaceView } from '../../server/src/vision/messages.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import { sureScore } from '../../server/src/vision/quality.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import type { Contestant, SeenFace } from './contestant.ts';
import type { Matcher } from './open-set.ts';

export interface OurFace extends SeenFace {
  readonly view: FaceView;
}

export class Ours implements Contestant, AsyncDisposable {
  readonly name = 'Nazar';
  readonly distance = distance;
  readonly matcher: Matcher = (enrolled) => {
    const { pack } = this;
    const gallery = new Gallery();
    for (const { person, vectors } of enrolled) {
      gallery.replace(
        String(person),
        vectors.map((vector) => ({ pack, vector })),
      );
    }
    return (probe) => {
      const [nearest] = gallery.nearest(probe, pack, 1);
      return { person: Number(nearest!.identityId), distance: nearest!.distance };
    };
  };
  readonly engine: Engine;

  private constructor(engine: Engine) {
    this.engine = engine;
  }

  /** The pack that vectors are stored with. */
  get pack(): string {
    const { id, version } = this.engine.pack;
    return `${id}@${version}`;
  }

  static async load(): Promise<Ours> {
    return new Ours(await Engine.load(measuredPack));
  }

  /** Returns sure faces; the others have no vector in the product either. */
  async detect(picture: Picture): Promise<OurFace[]> {
    const { faces, chips } = await this.engine.detect(picture);
    const seen: OurFace[] = [];
    for (const view of faces) {
      const chip = chipOf(view, faces, chips);
      if (chip === null || view.score < sureScore) continue;
      const [vector] = await this.engine.embed(chip, 1);
      seen.push({ box: view.box, score: view.score, vector: vector!, view });
    }
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
  }
}
