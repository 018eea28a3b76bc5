/** Pictures with the masks of now in them, also where these change while one is made. */
import type { CameraMasks, Cameras } from '#cameras/cameras.ts';

/** Made again as long as the masks it was made with are not those of now any more. */
export async function withMasks<R>(
  zones: Pick<Cameras['zones'], 'masksOf'>,
  cameraId: string,
  make: (masks: CameraMasks) => Promise<R>,
): Promise<R> {
  for (let masks = await zones.masksOf(cameraId); ;) {
    const made = await make(masks);
    const now = await zones.masksOf(cameraId);
    if (JSON.stringify(now) === JSON.stringify(masks)) return made;
    masks = now;
  }
}
