/**
 * Cameras out of the configuration of Frigate or go2rtc. The file stays in the browser: it is sent once to be shown
 * what is in it, and again with what was chosen, and the server keeps nothing of it in between. No answer holds a
 * password of the file.
 */
import { z } from 'zod/mini';
import { cameraTypes } from './cameras.ts';
import { Id, maxChars, requiredName, results, text } from './fields.ts';
import { cameraAdministrators, route } from './route.ts';

/** Bounds of a file. The largest real ones have some 1,500 lines. */
export const maxImportLines = 10_000;
export const maxImportChars = 400_000;
export const maxImportCameras = 500;
const maxVariables = 50;

/** Why a camera, or one of its sources, is not taken; a sentence for each in `app.json`. */
export const importFaults = [
  'runs_program',
  'transcodes',
  'scheme',
  'onvif',
  'variable_unset',
  'address_refused',
  'special_characters',
  'password_in_address',
  'placeholder',
  'variable_in_path',
  'other_sign_in',
  'no_source',
  'unknown_stream',
  'exists',
  'twice',
  'further_source',
  'over_limit',
  'name_too_long',
] as const;
export type ImportFault = (typeof importFaults)[number];

/** Why a setting isn't taken over, or what is done instead; a sentence for each in `app.json`. */
export const settingReasons = [
  'automatic',
  'capture',
  'further_input',
  'group',
  'group_exists',
  'kept_longer',
  'mask_all',
  'mask_corners',
  'mask_size',
  'mask_unreadable',
  'motion_tuning',
  'no_record_role',
  'not_by_key',
  'not_in_nazar',
  'object_mask',
  'objects',
  'order',
  'other_device',
  'own_server',
  'profiles',
  'record_motion',
  'recording_tuning',
  'retention_rounded',
  'set_in_nazar',
  'source_option',
  'unknown',
  'unused',
  'unused_stream',
  'zone',
] as const;
export type SettingReason = (typeof settingReasons)[number];

const Key = z.string().check(z.minLength(1), maxChars(300));

/** What is taken over with a camera beside its addresses. */
export const TakenSettings = z.object({
  /** Null: the file turns it off. `continuous` false: when something moves, as where the file says nothing. */
  recording: z.nullable(z.object({ continuous: z.boolean(), retention_days: z.int() })),
  enable_audio: z.boolean(),
  enable_face_recognition: z.boolean(),
  /** Parts of the picture in which motion counts, made of what the file masks out. */
  motion_zones: z.int(),
  /** They were drawn on the smaller picture, which may show another part of what the camera sees. */
  zones_of_sub: z.boolean(),
  /** Where it is asked to move; '' where it isn't, or not by the same user name and password. */
  device_url: z.string(),
});
export type TakenSettings = z.infer<typeof TakenSettings>;

/** A camera that can be added. */
export const FoundCamera = z.object({
  /** Where it stands in the file. */
  key: Key,
  name: z.string(),
  type: z.enum(cameraTypes),
  /** Without user name and password. */
  url: z.string(),
  sub_url: z.string(),
  username: z.string(),
  has_password: z.boolean(),
  /** False: the file has it turned off, and it is added inactive whatever becomes of the others. */
  is_enabled: z.boolean(),
  settings: TakenSettings,
});
export type FoundCamera = z.infer<typeof FoundCamera>;

export const LeftOut = z.object({
  /** The camera of the file that it belongs to, which may be one that is found all the same. */
  key: z.string(),
  /** The camera or stream of the file. */
  name: z.string(),
  fault: z.enum(importFaults),
  /** The variables that are missing, the scheme, or the name of the camera that is there already. */
  about: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** A setting of the file that isn't taken over, or not as it stands. */
export const LeftSetting = z.object({
  /** The camera that it is of; '' for what is of none, or of all. */
  key: z.string(),
  /** Where it stands in the file: `cameras.front.objects.track`. */
  path: z.string(),
  /** What the file says, shortened; '' where that could be a secret. */
  value: z.string(),
  reason: z.enum(settingReasons),
});
export type LeftSetting = z.infer<typeof LeftSetting>;

/** A group that is added with the cameras of it that are. */
export const FoundGroup = z.object({ name: z.string(), cameras: z.array(Key) });
export type FoundGroup = z.infer<typeof FoundGroup>;

export const ImportPreview = z.object({
  kind: z.enum(['frigate', 'go2rtc']),
  cameras: z.array(FoundCamera),
  left_out: z.array(LeftOut),
  groups: z.array(FoundGroup),
  settings_left: z.array(LeftSetting),
  /** So many more than those. */
  settings_left_more: z.int(),
  /** Names of variables that the file does not set, sorted. */
  unset_variables: z.array(z.string()),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** A file, and what it takes from its surroundings, which may be a password. */
const ConfigurationFile = z.object({
  text: z.string().check(z.minLength(1), maxChars(maxImportChars)),
  variables: z._default(
    z
      .array(
        z.object({
          name: z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/)),
          value: z.string().check(maxChars(256)),
        }),
      )
      .check(z.maxLength(maxVariables)),
    [],
  ),
});
export type ConfigurationFile = z.infer<typeof ConfigurationFile>;

export const ImportChoice = z.extend(ConfigurationFile, {
  /** Where they hang, all of them: no file says it. */
  location: requiredName(150),
  activate: z._default(z.boolean(), false),
  cameras: z
    .array(z.object({ key: Key, name: requiredName(150) }))
    .check(z.minLength(1), z.maxLength(maxImportCameras)),
});
export type ImportChoice = z.infer<typeof ImportChoice>;

export const ImportOutcome = z.object({
  key: Key,
  name: text(150),
  /** Null: it was not added. */
  camera: z.nullable(Id),
  fault: z.nullable(z.enum(importFaults)),
});
export type ImportOutcome = z.infer<typeof ImportOutcome>;

const fieldProblems = [
  'import_unreadable',
  'import_too_long',
  'import_too_complex',
  'import_aliases',
  'import_unknown',
] as const;

export const cameraImportRoutes = {
  preview: route({
    method: 'POST',
    path: '/secure-api/cameras/import/preview/',
    summary: 'What cameras a configuration of Frigate or go2rtc has; nothing is kept.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    body: ConfigurationFile,
    reply: ImportPreview,
    fieldProblems,
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/cameras/import/',
    summary: 'Adds cameras that were chosen from such a configuration, each for itself.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    body: ImportChoice,
    reply: results(ImportOutcome),
    fieldProblems,
  }),
};
