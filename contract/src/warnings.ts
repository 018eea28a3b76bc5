/** What administrators are warned of, until they took note of it or it is over. */
import { z } from 'zod/mini';
import { Id, Timestamp, results } from './fields.ts';
import { administrators, route } from './route.ts';

/** Each has its sentence in `app.json` (`warning.<kind>`). */
export const warningKinds = [
  'record_broken',
  'session_stolen',
  'many_denials',
  'key_new_address',
  'disk_low',
  'disk_full',
  'folder_away',
  'folder_hung',
  'storage_short',
  'camera_down',
  'camera_frozen',
  'camera_covered',
  'person_matched',
  'models_changed',
  'models_waiting',
] as const;
export const WarningKind = z.enum(warningKinds);
export type WarningKind = z.infer<typeof WarningKind>;

export const Warning = z.object({
  id: Id,
  kind: WarningKind,
  severity: z.enum(['warning', 'critical']),
  /** E-mail address of a user, or name of a camera, that it is about; null: about neither, or gone. */
  subject: z.nullable(z.string()),
  /** How often it came since the first time. */
  count: z.int(),
  first_at: Timestamp,
  last_at: Timestamp,
  /** What it is about, by ids; its keys depend on the kind. */
  details: z.record(z.string(), z.unknown()),
});
export type Warning = z.infer<typeof Warning>;

export const warningRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/system/warnings/',
    summary: 'What administrators are warned of at the moment.',
    callers: administrators,
    reply: results(Warning),
  }),
  acknowledge: route({
    method: 'POST',
    path: '/secure-api/system/warnings/:id/acknowledge/',
    summary: 'Takes note of a warning: it is shown to nobody any more.',
    callers: administrators,
    params: z.object({ id: Id }),
    status: 204,
    problems: ['warning_not_found'],
  }),
};
