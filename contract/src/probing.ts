/** Asking a camera something before it is watched: whether it answers, and with what. */
import { z } from 'zod/mini';
import { cameraTypes, Fingerprint, ingestCauses } from './cameras.ts';
import { Id, maxChars, text } from './fields.ts';
import { ofCameraAddress } from './refusals.ts';
import { cameraAdministrators, everyone, route } from './route.ts';

/** What a test may answer: a closed list, so that no answer describes what else is at an address. */
const connectionOutcomes = ['connected', 'no_url', 'failed', ...ingestCauses] as const;
export type ConnectionOutcome = (typeof connectionOutcomes)[number];

export const ConnectionTest = z.object({
  success: z.boolean(),
  outcome: z.enum(connectionOutcomes),
  /** One sentence, in the reader's language. */
  message: z.string(),
  /** From the first word to the first picture. */
  latency_ms: z.nullable(z.int()),
  /** The content type of a camera that answers HTTP; null for others. */
  content_type: z.nullable(z.string()),
  codec: z.nullable(z.string()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  fps: z.nullable(z.number()),
  /**
   * The first picture as a small JPEG in base64, of a camera that is not saved yet and is connected; else null. A saved
   * camera may have privacy masks.
   */
  still: z.nullable(z.string()),
});
export type ConnectionTest = z.infer<typeof ConnectionTest>;

/** Seconds until a picture must have come. */
const timeout = z._default(z.number().check(z.gte(1), z.lte(15)), 5);

/** A form as it is filled in so far. */
export const UnsavedAddress = z.object({
  /** The camera that is edited: its stored password is used where it would be kept. */
  camera: z.optional(Id),
  name: z._default(text(150), ''),
  type: z._default(z.enum(cameraTypes), 'ip'),
  url: z._default(text(2048), ''),
  username: z._default(text(150), ''),
  password: z._default(z.string().check(maxChars(256)), ''),
  certificate: z._default(Fingerprint, ''),
});
export type UnsavedAddress = z.infer<typeof UnsavedAddress>;

export const probingRoutes = {
  testConnection: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/test_connection/',
    summary: 'Asks a camera for a picture, now; at most 10 a minute.',
    callers: everyone,
    keyScope: 'cameras:read',
    params: z.object({ id: Id }),
    body: z.object({ timeout }),
    reply: ConnectionTest,
    problems: ['camera_not_found'],
  }),
  testUnsaved: route({
    method: 'POST',
    path: '/secure-api/cameras/test_connection/',
    summary: 'The same of a form that is not saved.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    body: z.extend(UnsavedAddress, { timeout }),
    reply: ConnectionTest,
    problems: ['camera_not_found'],
    fieldProblems: ofCameraAddress,
  }),
};
