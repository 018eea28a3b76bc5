/** Which models recognise faces, and changing them. */
import { z } from 'zod/mini';
import { Id, Timestamp, text } from './fields.ts';
import { cameraAdministrators, route } from './route.ts';

const Model = z.object({ id: z.string(), version: z.string() });

/** A change under way: vectors of the model to come are made of every face that is kept. */
export const ModelChange = z.object({
  to: Model,
  started_at: Timestamp,
  /** '' for the console, or an account that is gone. */
  started_by: z.string(),
  /** Photos and visits: how many, how many the new model has read, and in how many it finds no face. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** All are done, and the change waits until a user agrees that these photos are no longer used; null: not yet. */
  losses: z.nullable(
    z.object({
      photos: z.int(),
      /** Who would be left without a photo that serves, at most 100 of them. */
      people: z.array(z.object({ id: Id, name: z.string() })),
    }),
  ),
});
export type ModelChange = z.infer<typeof ModelChange>;

export const ModelsReply = z.object({
  installed: z.array(z.extend(Model, { license: z.string() })),
  /** Ids of models that set-up makes and could not download. */
  unavailable: z.array(z.string()),
  /** The id of the model that Nazar changes to by itself, once set-up can download it; null: none. */
  awaited: z.nullable(z.string()),
  serving: z.extend(Model, {
    /** False: no person is recognised until it is installed, or another model is put to use. */
    is_installed: z.boolean(),
    /** False: this node is about to load it. */
    is_loaded: z.boolean(),
  }),
  /** What served before, while one may go back at once. */
  previous: z.nullable(z.extend(Model, { until: Timestamp })),
  change: z.nullable(ModelChange),
});
export type ModelsReply = z.infer<typeof ModelsReply>;

export const modelRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/system/models/',
    summary: 'The models that are installed, the one that serves, and a change under way.',
    callers: cameraAdministrators,
    reply: ModelsReply,
  }),
  use: route({
    method: 'POST',
    path: '/secure-api/system/models/use/',
    summary: 'Makes another installed model serve; `accept_losses` photos may stop serving.',
    callers: cameraAdministrators,
    body: z.object({
      model: text(100),
      accept_losses: z._default(z.int().check(z.nonnegative()), 0),
    }),
    reply: ModelsReply,
    status: 202,
    problems: [
      'model_pack_not_found',
      'model_pack_damaged',
      'model_serves_already',
      'model_change_running',
    ],
  }),
  cancel: route({
    method: 'DELETE',
    path: '/secure-api/system/models/job/',
    summary: 'Cancels a change of models; what serves goes on serving.',
    callers: cameraAdministrators,
    status: 204,
    problems: ['model_change_none'],
  }),
};
