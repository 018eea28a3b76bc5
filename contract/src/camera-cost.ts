/** What a camera costs this installation by stage, for users who may see how the camera is reached. */
import { z } from 'zod/mini';
import { Id, Timestamp } from './fields.ts';
import { everyone, route } from './route.ts';

/**
 * `decode`: pictures to frames. `detect`: motion and faces. `embed`: faces to vectors. `record`: writing what is
 * recorded, and comparing frames for it where motion decides.
 */
export const cameraStages = ['decode', 'detect', 'embed', 'record'] as const;

/**
 * What keeps the analysis below what a camera's `fps` asks for. `camera`: it sends fewer. `mode`: the processing mode of
 * the settings. `machine`: the server has no time for more, beside its other cameras.
 */
const analysisLimits = ['camera', 'mode', 'machine'] as const;

/** In cores: 1 is all of one core for all that time, 0 is nothing done; null: not measured. */
const cores = z.nullable(z.number());

export const CameraCost = z.object({
  /** When the time that was measured ended; null: nothing is known of the last half minute. */
  measured_at: z.nullable(Timestamp),
  /** How long that time was, in seconds. */
  over_s: z.nullable(z.number()),
  decode: cores,
  detect: cores,
  embed: cores,
  record: cores,
  /** How many frames a second were analyzed for faces while something moved; null: not measured, or nothing moved. */
  analyzed_fps: z.nullable(z.number()),
  /** Why these are fewer than the camera's `fps`; null: they are not, or it is not known. */
  analysis_limit: z.nullable(z.enum(analysisLimits)),
});
export type CameraCost = z.infer<typeof CameraCost>;

export const cameraCostRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/cost/',
    summary:
      'What a camera cost in the last seconds, in cores by stage, for who may see how it is reached.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    params: z.object({ id: Id }),
    reply: CameraCost,
    problems: ['camera_not_found'],
  }),
};
