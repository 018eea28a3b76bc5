/** Whether the parts of the installation work. */
import { z } from 'zod/mini';
import { Timestamp } from './fields.ts';
import { StorageFit } from './recordings.ts';
import { cameraAdministrators, everyone, route } from './route.ts';

export const PartHealth = z.object({
  status: z.enum(['operational', 'degraded', 'down']),
  /** A key of `app.json`, or null. */
  detail: z.nullable(z.string()),
});

/** The result of real probes, each made now. */
export const SystemHealth = z.object({
  face_recognition: PartHealth,
  camera_system: PartHealth,
  database: PartHealth,
  api_services: PartHealth,
  /** Whether the activity log is as it was written. */
  audit_record: PartHealth,
  /** How many days of all cameras' recordings really fit, for administrators; null: nothing was measured yet. */
  storage_fit: z.nullable(StorageFit),
  checked_at: Timestamp,
});
export type SystemHealth = z.infer<typeof SystemHealth>;

export const systemRoutes = {
  alive: route({
    method: 'GET',
    path: '/healthz',
    summary: 'Answers `ok` while the server runs.',
    callers: 'anyone',
    reply: z.object({ status: z.literal('ok') }),
  }),
  health: route({
    method: 'GET',
    path: '/secure-api/system/health/',
    summary: 'Live probes of the parts of this installation.',
    callers: everyone,
    shownAs: true,
    reply: SystemHealth,
  }),
  clientIp: route({
    method: 'GET',
    path: '/secure-api/system/client_ip/',
    summary: "The caller's address as the server sees it.",
    callers: everyone,
    reply: z.object({ ip: z.string() }),
  }),
  supportBundle: route({
    method: 'GET',
    path: '/secure-api/system/support-bundle/',
    summary:
      'A tar to send to whoever looks for a fault: no password, name, address or path is in it.',
    callers: cameraAdministrators,
    produces: 'application/x-tar',
  }),
  schema: route({
    method: 'GET',
    path: '/secure-api/schema/',
    summary: 'This API as an OpenAPI 3.1 document.',
    callers: 'anyone',
    produces: 'application/json',
  }),
};
