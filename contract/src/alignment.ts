/**
 * How the two streams of a camera lie to each other. Zones are drawn on the picture of the main stream; its sub-stream may
 * show another part of what the lens sees, and masks are where that part has them.
 */
import { z } from 'zod/mini';
import { CameraOwner, streamNames } from './cameras.ts';
import { Id, Timestamp } from './fields.ts';
import { cameraAdministrators, route } from './route.ts';

/**
 * `none`: there is no sub-stream, or it never came together with the main one. `measuring`: both come, and it is not
 * known yet what the one shows of the other. `known`: masks are placed on both.
 */
const alignmentStates = ['none', 'measuring', 'known'] as const;

/** The least and the greatest side of a part, in sides of the main picture. */
export const leastSide = 0.1;
const greatestSide = 4;

const side = z.number().check(z.gte(leastSide), z.lte(greatestSide));
const corner = z.number().check(z.gte(-greatestSide), z.lte(1));

/**
 * Which part of the main picture the sub-stream shows, both upright: in fractions of the main picture, from its upper left
 * corner. It reaches beyond 0 to 1 where the sub-stream shows more.
 */
export const AlignedPart = z
  .object({ x: corner, y: corner, width: side, height: side })
  .check(z.refine(({ x, y, width, height }) => x < 1 && y < 1 && x + width > 0 && y + height > 0));
export type AlignedPart = z.infer<typeof AlignedPart>;

const PictureSize = z.object({ width: z.int(), height: z.int() });

export const CameraAlignment = z.object({
  state: z.enum(alignmentStates),
  /** Null unless it is known. */
  part: z.nullable(AlignedPart),
  /** An administrator compared both and confirmed it; otherwise it was measured. */
  is_confirmed: z.boolean(),
  /** Null where it was measured, and for an account that is deleted. */
  confirmed_by: z.nullable(CameraOwner),
  /** When it was measured or confirmed. */
  aligned_at: z.nullable(Timestamp),
  /** The upright pictures of both, in pixels; null: none came yet. */
  main: z.nullable(PictureSize),
  sub: z.nullable(PictureSize),
  /** Names these two streams, as they are turned: what is confirmed is so of them and of no others. Null: none came yet. */
  streams: z.nullable(z.string()),
});
export type CameraAlignment = z.infer<typeof CameraAlignment>;

const oneCamera = z.object({ id: Id });
const streams = z.string().check(z.minLength(1), z.maxLength(120));

export const alignmentRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/alignment/',
    summary: 'What the sub-stream of a camera shows of its main picture, as far as that is known.',
    callers: cameraAdministrators,
    keyScope: 'cameras:read',
    params: oneCamera,
    reply: CameraAlignment,
    problems: ['camera_not_found'],
  }),
  confirm: route({
    method: 'PUT',
    path: '/secure-api/cameras/:id/alignment/',
    summary: 'Says what the sub-stream shows, where it was not measured or not rightly.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    body: z.object({ part: AlignedPart, streams }),
    reply: CameraAlignment,
    problems: ['camera_not_found', 'streams_changed'],
  }),
  forget: route({
    method: 'DELETE',
    path: '/secure-api/cameras/:id/alignment/',
    summary:
      'Forgets what is known of it, so that it is measured anew; masks hide all of the sub-stream until then.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    reply: CameraAlignment,
    problems: ['camera_not_found'],
  }),
  picture: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/alignment/picture/',
    summary:
      'A JPEG of the newest key frame of one stream, upright and without masks, to compare the two.',
    callers: cameraAdministrators,
    keyScope: 'live',
    params: oneCamera,
    query: z.object({ stream: z._default(z.enum(streamNames), 'main') }),
    produces: 'image/jpeg',
    problems: ['camera_not_found', 'camera_masked', 'camera_not_live', 'snapshot_not_ready'],
  }),
};
