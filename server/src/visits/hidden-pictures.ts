/**
 * Which pictures of visits a reader does not get: those that show what a privacy mask of now hides, at cameras behind
 * whose masks they may not see. Lists, the picture itself and whatever is made of it ask here, so that they agree.
 */
import { turnsAt, type Cameras } from '#cameras/cameras.ts';
import { holds, type Scope } from '#http/scope.ts';
import { hiddenUnder, type PicturePlace } from '#media/mask/picture-place.ts';

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

export type MaskZones = Pick<Cameras['zones'], 'maskedCameras'>;

export class HiddenPictures {
  readonly #zones: MaskZones;

  constructor(zones: MaskZones) {
    this.#zones = zones;
  }

  /** Asked once for a page of pictures. */
  async from(
    scope: Scope,
    pictures: readonly Pick<PlacedPicture, 'camera_id'>[],
  ): Promise<IsHidden> {
    if (scope.seesAll) return () => false;
    return (await this.fromEach(pictures))(scope);
  }

  /** Asked once for a page of pictures that many read. */
  async fromEach(
    pictures: readonly Pick<PlacedPicture, 'camera_id'>[],
  ): Promise<(scope: Scope) => IsHidden> {
    if (pictures.length === 0) return () => () => false;
    const cameraIds = [...new Set(pictures.map(({ camera_id }) => camera_id))];
    const masked = await this.#zones.maskedCameras(cameraIds);
    const under = new Map(
      [...masked].map(([id, { camera, masks }]) => [
        id,
        { camera, isUnder: hiddenUnder(masks), turned: masks.turned },
      ]),
    );
    return (scope) =>
      ({ camera_id, place, started_at }) => {
        const hides = under.get(camera_id);
        if (!hides || holds(scope, hides.camera, 'unmasked')) return false;
        return hides.isUnder(place, turnsAt(hides.turned, new Date(started_at)));
      };
  }
}
