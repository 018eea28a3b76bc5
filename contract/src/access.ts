/** Who may see which camera: grants to users and groups, by capability, and groups of cameras. */
import { z } from 'zod/mini';
import { Role } from './accounts.ts';
import { capabilities } from './capabilities.ts';
import { Id, Timestamp, requiredName, results, text } from './fields.ts';
import { administrators, cameraAdministrators, everyone, route } from './route.ts';

const Capabilities = z.array(z.enum(capabilities));
const named = { id: Id, name: z.string() };

/** The user or group that receives a grant. */
const Grantee = z.object({ type: z.enum(['user', 'user_group']), id: Id });
/** What is granted: a camera, or whatever is in a group of cameras. */
export const Granted = z.object({ type: z.enum(['camera', 'camera_group']), id: Id });

export const Grant = z.object({
  id: Id,
  to: z.extend(Grantee, named),
  of: z.extend(Granted, named),
  capabilities: Capabilities,
  /** Categories of people whose names may be read there, where `people` (everyone) is not granted. */
  categories: z.array(Id),
  granted_at: Timestamp,
});
export type Grant = z.infer<typeof Grant>;

export const GiveGrant = z.object({
  to: Grantee,
  of: Granted,
  /** `live` is the ground of every grant and comes with any other. */
  capabilities: Capabilities.check(z.minLength(1), z.maxLength(capabilities.length)),
  categories: z._default(z.array(Id).check(z.maxLength(200)), []),
});
export type GiveGrant = z.infer<typeof GiveGrant>;

/** Every filter that is given must fit. */
export const GrantQuery = z.object({
  user: z.optional(Id),
  user_group: z.optional(Id),
  camera: z.optional(Id),
  camera_group: z.optional(Id),
});
export type GrantQuery = z.infer<typeof GrantQuery>;

/** Why a user may see a camera. */
const accessReasons = ['administrator', 'made', 'granted'] as const;

export const CameraViewer = z.object({
  user: z.object({ id: Id, name: z.string(), email: z.string(), role: Role }),
  reason: z.enum(accessReasons),
  capabilities: Capabilities,
  categories: z.array(Id),
  /** Groups through which it was granted; empty when to the user alone. */
  groups: z.array(z.string()),
});
export type CameraViewer = z.infer<typeof CameraViewer>;

export const CameraGroup = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  cameras: z.array(Id),
});
export type CameraGroup = z.infer<typeof CameraGroup>;

export const CameraGroupFields = z.object({
  name: requiredName(150),
  description: z._default(text(2000), ''),
  cameras: z._default(z.array(Id).check(z.maxLength(1000)), []),
});
export type CameraGroupFields = z.infer<typeof CameraGroupFields>;

const params = z.object({ id: Id });

export const accessRoutes = {
  grants: route({
    method: 'GET',
    path: '/secure-api/cameras/grants/',
    summary: 'What was granted: to a user or group, of a camera or group, or everything.',
    callers: administrators,
    shownAs: true,
    query: GrantQuery,
    reply: results(Grant),
  }),
  give: route({
    method: 'PUT',
    path: '/secure-api/cameras/grants/',
    summary: 'Grants a camera or a group of cameras, or changes what is granted of it.',
    callers: cameraAdministrators,
    body: GiveGrant,
    reply: Grant,
    problems: ['user_not_found', 'group_not_found', 'camera_not_found', 'category_not_found'],
  }),
  take: route({
    method: 'DELETE',
    path: '/secure-api/cameras/grants/:id/',
    summary: 'Takes a grant back; live views and news end within 2 s.',
    callers: cameraAdministrators,
    params,
    status: 204,
    problems: ['grant_not_found'],
  }),
  viewers: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/access/',
    summary: 'Who may see this camera, and why.',
    callers: administrators,
    shownAs: true,
    params,
    reply: results(CameraViewer),
    problems: ['camera_not_found'],
  }),
};

export const cameraGroupRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/groups/',
    summary: 'The groups of cameras, with the cameras in them that one may see.',
    callers: everyone,
    shownAs: true,
    reply: results(CameraGroup),
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/groups/:id/',
    summary: 'One group of cameras.',
    callers: everyone,
    shownAs: true,
    params,
    reply: CameraGroup,
    problems: ['group_not_found'],
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/cameras/groups/',
    summary: 'Adds a group of cameras.',
    callers: cameraAdministrators,
    body: CameraGroupFields,
    reply: CameraGroup,
    status: 201,
    fieldProblems: ['group_exists', 'camera_not_found'],
  }),
  replace: route({
    method: 'PUT',
    path: '/secure-api/cameras/groups/:id/',
    summary: "Replaces a group's name, description and cameras.",
    callers: cameraAdministrators,
    params,
    body: CameraGroupFields,
    reply: CameraGroup,
    problems: ['group_not_found'],
    fieldProblems: ['group_exists', 'camera_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/cameras/groups/:id/',
    summary: 'Deletes a group of cameras, and what was granted of it; its cameras stay.',
    callers: cameraAdministrators,
    params,
    status: 204,
    problems: ['group_not_found'],
  }),
};
