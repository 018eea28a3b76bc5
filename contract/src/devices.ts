/** Cameras that make themselves known by ONVIF, before they are added: found, then asked. */
import { z } from 'zod/mini';
import { Id, maxChars, requiredText, results, text } from './fields.ts';
import { ofCameraAddress } from './refusals.ts';
import { cameraAdministrators, route } from './route.ts';

/** Everything said here comes from a device on the network: text to be shown, never more. */
export const FoundDevice = z.object({
  name: z.string(),
  hardware: z.string(),
  location: z.string(),
  address: z.string(),
  /** The address of its device service; what `describe` takes. */
  url: z.string(),
});
export type FoundDevice = z.infer<typeof FoundDevice>;

export const deviceOutcomes = [
  'found',
  'unreachable',
  'address_refused',
  'password_refused',
  'no_answer',
  'not_onvif',
  'failed',
] as const;
export type DeviceOutcome = (typeof deviceOutcomes)[number];

export const DeviceStream = z.object({
  name: z.string(),
  /** Without credentials, at the device's own address. */
  url: z.string(),
  codec: z.string(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  fps: z.nullable(z.int()),
});
export type DeviceStream = z.infer<typeof DeviceStream>;

export const DeviceDescription = z.object({
  outcome: z.enum(deviceOutcomes),
  manufacturer: z.string(),
  model: z.string(),
  streams: z.array(DeviceStream),
  /** It can be turned or zoomed. */
  moves: z.boolean(),
});
export type DeviceDescription = z.infer<typeof DeviceDescription>;

export const DeviceLogin = z.object({
  /** The camera that is edited: its stored password is used where it is kept for. */
  camera: z.optional(Id),
  url: requiredText(2048),
  username: z._default(text(150), ''),
  password: z._default(z.string().check(maxChars(256)), ''),
});
export type DeviceLogin = z.infer<typeof DeviceLogin>;

export const deviceRoutes = {
  discover: route({
    method: 'POST',
    path: '/secure-api/cameras/discover/',
    summary: 'Asks this network which ONVIF cameras there are; takes three seconds.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    reply: results(FoundDevice),
    status: 200,
  }),
  describe: route({
    method: 'POST',
    path: '/secure-api/cameras/describe/',
    summary: 'Asks one ONVIF camera what streams it has, and whether it moves.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    body: DeviceLogin,
    reply: DeviceDescription,
    problems: ['camera_not_found'],
    fieldProblems: ofCameraAddress,
  }),
};
