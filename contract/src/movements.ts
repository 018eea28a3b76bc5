/** Turning and zooming a camera that can be moved, and the places it knows. */
import { z } from 'zod/mini';
import { deviceOutcomes } from './devices.ts';
import { Id } from './fields.ts';
import { everyone, route } from './route.ts';

const speed = z._default(z.number().check(z.gte(-1), z.lte(1)), 0);

export const Movement = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('move'),
    /** -1 to 1: to the right, upwards, nearer. */
    x: speed,
    y: speed,
    zoom: speed,
    /** Then the camera stops by itself, because the client that started it may be gone. */
    for_ms: z._default(z.int().check(z.gte(100), z.lte(5_000)), 1_000),
  }),
  z.object({ kind: z.literal('stop') }),
  z.object({
    kind: z.literal('preset'),
    preset: z.string().check(z.regex(/^[\w.:-]{1,64}$/)),
  }),
]);
export type Movement = z.infer<typeof Movement>;

/** A place that the camera knows by name. */
export const Preset = z.object({ token: z.string(), name: z.string() });
export type Preset = z.infer<typeof Preset>;

export const Movements = z.object({
  outcome: z.enum(deviceOutcomes),
  moves: z.boolean(),
  presets: z.array(Preset),
});
export type Movements = z.infer<typeof Movements>;

const oneCamera = z.object({ id: Id });

export const movementRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/ptz/',
    summary: 'Whether a camera can be moved now, and the places it knows.',
    callers: everyone,
    keyScope: 'live',
    params: oneCamera,
    reply: Movements,
    problems: ['camera_not_found'],
  }),
  move: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/ptz/',
    summary: 'Moves a camera, stops it, or sends it to a place that it knows.',
    callers: everyone,
    keyScope: 'live',
    params: oneCamera,
    body: Movement,
    status: 204,
    problems: ['camera_not_found', 'camera_cannot_move', 'camera_not_moved'],
  }),
};
