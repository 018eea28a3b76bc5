/** Parts of a camera's picture that are treated differently: polygons, as the picture is shown. */
import { z } from 'zod/mini';
import { Id, optionalName, results } from './fields.ts';
import { areaOf, isSimple } from './polygon.ts';
import { cameraAdministrators, everyone, route } from './route.ts';

/**
 * `privacy`: only users with `unmasked` see what is inside. `recognition`: faces are detected inside only. `motion`:
 * what moves outside makes no recording. Without zones of the last two kinds the whole picture counts.
 */
export const zoneKinds = ['privacy', 'recognition', 'motion'] as const;
export type ZoneKind = (typeof zoneKinds)[number];

export const maxZones = 32;
export const minPoints = 3;
export const maxPoints = 32;
/** A ten-thousandth: 1/100 of the picture wide and high. What is smaller is a slip of the hand. */
export const minArea = 0.0001;

const fraction = z.number().check(z.gte(0), z.lte(1));
const Points = z
  .array(z.tuple([fraction, fraction]))
  .check(z.minLength(minPoints), z.maxLength(maxPoints), z.refine(isZone));

/** Large enough, and none of its edges crosses another. */
export function isZone(points: readonly (readonly [number, number])[]): boolean {
  return areaOf(points) >= minArea && isSimple(points);
}

export const ZoneFields = z.object({
  kind: z.enum(zoneKinds),
  name: z._default(optionalName(60), ''),
  points: Points,
});
export type ZoneFields = z.infer<typeof ZoneFields>;

export const Zone = z.object({
  id: Id,
  kind: z.enum(zoneKinds),
  name: z.string(),
  points: z.array(z.tuple([z.number(), z.number()])),
  /**
   * By how much it may have to be turned clockwise, with the picture: more than one after the camera's rotation was
   * changed, until the zones are saved again. All these places count meanwhile.
   */
  turns: z.array(z.literal([0, 90, 180, 270])),
});
export type Zone = z.infer<typeof Zone>;

const oneCamera = z.object({ id: Id });

export const zoneRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/zones/',
    summary: 'The privacy masks, recognition zones and motion zones of a camera.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    params: oneCamera,
    reply: results(Zone),
    problems: ['camera_not_found'],
  }),
  replace: route({
    method: 'PUT',
    path: '/secure-api/cameras/:id/zones/',
    summary: 'Replaces them all, from the next picture on.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    body: z.object({
      zones: z.array(ZoneFields).check(z.maxLength(maxZones)),
      /** The rotation of the picture on which they were drawn: refused where the camera has another by now. */
      rotation: z.optional(z.literal([0, 90, 180, 270])),
    }),
    reply: results(Zone),
    problems: ['camera_not_found', 'camera_changed'],
  }),
};
