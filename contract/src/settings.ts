/**
 * What an administrator may change of the installation, one section after the other. A new
 * section is one entry of `settingsSections`: its fields, their defaults, and who may read and write
 * them. The nested object of all sections is also the form of an exported file.
 */
import { z } from 'zod/mini';
import { attributes, type Attribute } from './attributes.ts';
import { published, text, Timestamp } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields } from './refusals.ts';
import { administrators, route, type Standing } from './route.ts';

export const sessionTimeoutLimits = { min: 5, max: 240 } as const;
/** The value of an address list that admits every address. */
export const allAddresses = 'All';

/** The policy for every user; users may set stricter rules for themselves, and both must pass. */
export const SecuritySettings = z.object({
  /** Whether a second factor is required at all, and for which users. */
  twoFactorAuth: z.boolean(),
  twoFactorFor: z.enum(['administrators', 'all']),
  /** Minutes without a deed after which a session ends. */
  sessionTimeout: z.int().check(z.gte(sessionTimeoutLimits.min), z.lte(sessionTimeoutLimits.max)),
  /** `All`, or addresses and networks (CIDR) with commas between them. */
  allowedIPs: text(4000),
  /** Whether users may hold API keys. */
  apiAccessEnabled: z.boolean(),
});
export type SecuritySettings = z.infer<typeof SecuritySettings>;

const days = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));

/** How long what is kept of people, and on what grounds they are recognised. */
export const PrivacySettings = z.object({
  /** Whether visits of unknown people are kept, or only shown while they are in view. */
  strangers: z.enum(['keep', 'discard']),
  /** Days that pictures and vectors of unknown people are kept. */
  unknownFaceDays: days(1, 365),
  /** Days that visits are kept; 0: for ever. */
  faceLogDays: days(0, 3650),
  /** Days that the words of clients in the activity log are kept; 0: as long as its entries. */
  activityNoteDays: days(0, 3650),
  /** Days after which people whom no camera has seen are erased; 0: never. Three years at most (BIPA). */
  unseenPersonDays: days(0, 1095),
  /** Whether only people with a recorded legal basis are recognised. */
  requireConsent: z.boolean(),
});
export type PrivacySettings = z.infer<typeof PrivacySettings>;

export const thresholdLimits = { min: 50, max: 100 } as const;
export const faceSizeLimits = { min: 20, max: 100 } as const;
/** C-524: of an account that is no administrator's. */
export const peopleLimits = { min: 1, max: 100_000 } as const;
export const photoLimits = { min: 1, max: 1_000_000 } as const;
export const photoGiBLimits = { min: 1, max: 1024 } as const;
export const processingModes = ['speed', 'balanced', 'accuracy'] as const;
export const recognitionFeatures = [...attributes, 'mask'] as const;
const within = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.int().check(z.gte(min), z.lte(max));

/** What cameras recognise, by how much work, and how many people each account may add. */
export const RecognitionSettings = z.object({
  /** How sure a name must be, in percent: what is shown beside it is never less. */
  threshold: within(thresholdLimits),
  /** Width of a face below which it is not recognised, in pixels of the camera's main stream. */
  minFaceSize: within(faceSizeLimits),
  /** How many frames per second are analyzed, and how closely. */
  processingMode: z.enum(processingModes),
  /**
   * What is wanted beside names; only what the installed models provide comes. Nothing is inferred of a face until
   * an administrator has confirmed that they know what (`confirm_attributes`).
   */
  enabledFeatures: z
    .array(z.enum(recognitionFeatures))
    .check(z.refine((list) => new Set(list).size === list.length))
    .register(published, {
      type: 'array',
      items: { enum: recognitionFeatures },
      uniqueItems: true,
    }),
  /** People that one account may add; no bound for administrators, here and below. */
  peoplePerAccount: within(peopleLimits),
  /** Photos of all its people together. */
  photosPerAccount: within(photoLimits),
  /** What these photos take of the disk, in GiB (2^30 bytes). */
  photoGiBPerAccount: within(photoGiBLimits),
});
export type RecognitionSettings = z.infer<typeof RecognitionSettings>;

/** The features that are inferred from faces. */
export const inferred = (features: RecognitionSettings['enabledFeatures']): Attribute[] =>
  attributes.filter((attribute) => features.includes(attribute));

interface Section<S extends z.ZodMiniObject> {
  readonly schema: S;
  readonly defaults: z.infer<S>;
  readonly readers: readonly Standing[];
  readonly writers: readonly Standing[];
  /** Whether a change takes fresh proof of the one who makes it. */
  readonly takesProof: boolean;
}

function section<S extends z.ZodMiniObject>(definition: Section<S>): Section<S> {
  return definition;
}

const fullAdministrators: readonly Standing[] = ['admin', 'superadmin'];

export const settingsSections = {
  security: section({
    schema: SecuritySettings,
    defaults: {
      twoFactorAuth: false,
      twoFactorFor: 'all',
      sessionTimeout: 30,
      allowedIPs: allAddresses,
      apiAccessEnabled: false,
    },
    readers: fullAdministrators,
    writers: ['superadmin'],
    takesProof: true,
  }),
  privacy: section({
    schema: PrivacySettings,
    defaults: {
      strangers: 'keep',
      unknownFaceDays: 30,
      faceLogDays: 365,
      activityNoteDays: 90,
      unseenPersonDays: 0,
      requireConsent: false,
    },
    readers: administrators,
    writers: fullAdministrators,
    takesProof: false,
  }),
  recognition: section({
    schema: RecognitionSettings,
    defaults: {
      threshold: 75,
      minFaceSize: 50,
      processingMode: 'balanced',
      enabledFeatures: [],
      peoplePerAccount: 1_000,
      photosPerAccount: 5_000,
      photoGiBPerAccount: 2,
    },
    readers: administrators,
    writers: fullAdministrators,
    takesProof: false,
  }),
};
export type SectionName = keyof typeof settingsSections;
export type Settings = {
  [Name in SectionName]: z.infer<(typeof settingsSections)[Name]['schema']>;
};
export type SettingsPatch = { readonly [Name in SectionName]?: Partial<Settings[Name]> };

/** The sections the caller may read. */
export const SystemSettings = z.object({
  security: z.optional(SecuritySettings),
  privacy: z.optional(PrivacySettings),
  recognition: z.optional(RecognitionSettings),
  /** When a user confirmed that attributes are inferred from faces; null: not confirmed. Beside `recognition`. */
  attributes_confirmed_at: z.optional(z.nullable(Timestamp)),
});
export type SystemSettings = z.infer<typeof SystemSettings>;

export const UpdateSystemSettings = z.object({
  security: z.optional(z.partial(SecuritySettings)),
  privacy: z.optional(z.partial(PrivacySettings)),
  recognition: z.optional(z.partial(RecognitionSettings)),
  /** Fresh proof, for sections that ask for it. */
  ...FreshProof.shape,
  /** The caller knows that the list of addresses shuts them out themselves. */
  confirm_lock_out: z._default(z.boolean(), false),
  /**
   * The caller has read what is inferred of faces, how often it is wrong and where it is forbidden. Needed once,
   * by the change that switches on the first of age, gender and emotion.
   */
  confirm_attributes: z._default(z.boolean(), false),
});
export type UpdateSystemSettings = z.infer<typeof UpdateSystemSettings>;

export const settingsRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/settings/system_settings/',
    summary: 'The settings of the installation, as far as one may read them.',
    callers: administrators,
    shownAs: true,
    reply: SystemSettings,
  }),
  update: route({
    method: 'PATCH',
    path: '/secure-api/settings/update_system_settings/',
    summary: 'Changes settings; the section `security` takes fresh proof and a superadmin.',
    callers: fullAdministrators,
    body: UpdateSystemSettings,
    reply: SystemSettings,
    problems: [...ofProof, 'address_locked_out', 'attributes_unconfirmed'],
    fieldProblems: [...ofProofFields, 'address_list_invalid'],
  }),
};
