/**
 * Which pictures of visits a reader does not get: those that show what a privacy mask of now hides, at cameras behind
 * whose masks they may not see. Lists, the picture itself and whatever is made of it ask here, so that they agree.
 */
import { turnsAt, type Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { hiddenUnder, type PicturePlace } from '#media/media.ts';

/** `none`: none was kept, it went by age, or nothing can open it any more. */
export type PictureState = 'shown' | 'hidden' | 'none';

/** A picture as far as this needs to know it. */
export interface PlacedPicture {
  readonly camera_id: string;
  /** Null: that was not kept yet when it was made. */
  readonly place: PicturePlace | null;
  /** When its visit began: a date, or the text of one. */
  readonly started_at: Date | string;
}

export type IsHidden = (picture: PlacedPicture) => boolean;

export class HiddenPictures {
  readonly #zones: Pick<Cameras['zones'], 'hiddenFrom'>;

  constructor(zones: Pick<Cameras['zones'], 'hiddenFrom'>) {
    this.#zones = zones;
  }

  /** Asked once for a page of pictures. */
  async from(
    scope: Scope,
    pictures: readonly Pick<PlacedPicture, 'camera_id'>[],
  ): Promise<IsHidden> {
    if (scope.seesAll || pictures.length === 0) return () => false;
    const cameraIds = [...new Set(pictures.map(({ camera_id }) => camera_id))];
    const masks = await this.#zones.hiddenFrom(scope, cameraIds);
    const under = new Map(
      [...masks].map(([id, drawn]) => [id, { isUnder: hiddenUnder(drawn), turned: drawn.turned }]),
    );
    return ({ camera_id, place, started_at }) => {
      const hides = under.get(camera_id);
      return hides?.isUnder(place, turnsAt(hides.turned, new Date(started_at))) ?? false;
    };
  }
}
