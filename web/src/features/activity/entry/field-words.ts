/** What the fields of an entry are called, and values that come from a list: in the words of the pages they are set on. */
import type { CameraFields } from '@nazar/contract/cameras.ts';
import type { UpdateMe } from '@nazar/contract/own-account.ts';
import type { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { recordingQualities } from '@nazar/contract/recording-qualities.ts';
import type { Settings } from '@nazar/contract/settings.ts';
import type { ParseKeys } from 'i18next';
import { formatList, formatNumber } from '#lib/format.ts';
import type { Translate } from '#lib/i18n.ts';
import { qualityWords } from '#parts/recording-settings/quality-words.ts';

type Key = ParseKeys;
type Labels<Name extends string> = Readonly<Record<Name, Key>>;

const settings: Labels<{ [Section in keyof Settings]: keyof Settings[Section] }[keyof Settings]> = {
  twoFactorAuth: 'settings.twoFactor',
  twoFactorFor: 'settings.twoFactorFor',
  sessionTimeout: 'settings.timeout',
  allowedIPs: 'settings.addresses',
  apiAccessEnabled: 'settings.api',
  strangers: 'privacy.strangers',
  unknownFaceDays: 'privacy.unknownFaceDays',
  faceLogDays: 'privacy.faceLogDays',
  activityNoteDays: 'privacy.activityNoteDays',
  unseenPersonDays: 'privacy.unseenPersonDays',
  requireConsent: 'privacy.requireConsent',
  threshold: 'recognition.threshold',
  minFaceSize: 'recognition.minFaceSize',
  processingMode: 'recognition.mode',
  enabledFeatures: 'recognition.features',
  peoplePerAccount: 'recognition.peoplePerAccount',
  photosPerAccount: 'recognition.photosPerAccount',
  photoGiBPerAccount: 'recognition.photoGiBPerAccount',
};

const camera: Labels<keyof CameraFields> = {
  name: 'camera.name',
  description: 'camera.description',
  location: 'camera.location',
  type: 'camera.type',
  status: 'camera.status',
  ip_address: 'camera.ipAddress',
  url: 'camera.url',
  sub_url: 'camera.subUrl',
  device_url: 'camera.deviceUrl',
  username: 'camera.username',
  password: 'camera.password',
  certificate: 'camera.certificate',
  resolution: 'camera.resolution',
  fps: 'camera.fps',
  rotation: 'camera.rotation',
  enable_face_recognition: 'camera.faceRecognition',
  enable_audio: 'camera.audio',
};

const recording: Labels<keyof RecordingSettingsPatch> = {
  storagePath: 'recordingSettings.path',
  continuousRecording: 'recordingSettings.continuous',
  motionDetection: 'recordingSettings.motion',
  schedule: 'recordingSettings.schedule',
  retentionDays: 'recordingSettings.retention',
  quality: 'recordingSettings.quality',
};

const profile: Labels<Exclude<keyof UpdateMe, 'password' | 'passkey'>> = {
  first_name: 'person.firstName',
  last_name: 'person.lastName',
  email: 'person.email',
  phone: 'person.phone',
  position: 'person.position',
  department: 'profile.department',
  address: 'profile.address',
  birthdate: 'profile.birthdate',
  bio: 'profile.bio',
};

/** Of deeds that are no form: what the server records beside the change. */
const deeds = {
  section: 'activityLog.fields.section',
  // How a camera's secrets are stored.
  password_encrypted: 'camera.password',
  apiAccess: 'security.access',
  privacy: 'zones.kinds.privacy',
  recognition: 'zones.kinds.recognition',
  motion: 'zones.kinds.motion',
  category: 'person.category',
  notes: 'person.notes',
  is_active: 'person.active',
  basis: 'consent.title',
  document: 'consent.document',
  obtained_at: 'consent.obtained_at',
  expires_at: 'consent.expires_at',
  role: 'users.role',
  user: 'activityLog.user',
  user_group: 'activityLog.types.user_group',
  scopes: 'keys.scopes',
  key: 'keys.key',
  days: 'keys.days',
  passkeys: 'passkeys.title',
  source: 'activityLog.source',
  level: 'activityLog.fields.level',
  features: 'recognition.features',
  how: 'activityLog.fields.how',
  reason: 'activityLog.fields.reason',
  kind: 'activityLog.fields.kind',
  subject: 'activityLog.fields.subject',
  count: 'activityLog.fields.count',
  entries: 'activityLog.fields.entries',
  lines: 'activityLog.fields.entries',
  images: 'privacy.count.images',
  photos: 'privacy.count.images',
  people: 'privacy.count.people',
  visits: 'privacy.count.visits',
  cameras: 'access.groupCameras',
  members: 'access.members',
  filters: 'activityLog.filters',
  until: 'activityLog.fields.until',
  wait_s: 'activityLog.fields.wait',
  free_percent: 'activityLog.fields.free',
  keys_revoked: 'activityLog.fields.keysRevoked',
  shared: 'activityLog.fields.shared',
  demo: 'faces.demo',
  by: 'activityLog.fields.by',
} as const satisfies Readonly<Record<string, Key>>;

const labels: ReadonlyMap<string, Key> = new Map<string, Key>(
  Object.entries({ ...deeds, ...profile, ...recording, ...camera, ...settings }),
);

/** A newer server may know more of them: those stand under their own names. */
export function fieldLabel(t: Translate, field: string): string {
  const key = labels.get(field);
  return key === undefined ? field : (t as (key: Key) => string)(key);
}

const features: Readonly<Record<string, Key>> = {
  age: 'recognition.feature.age',
  gender: 'recognition.feature.gender',
  emotion: 'recognition.feature.emotion',
  mask: 'recognition.feature.mask',
};

const values: Readonly<Record<string, Readonly<Record<string, Key>>>> = {
  section: {
    security: 'settings.security',
    privacy: 'privacy.title',
    recognition: 'recognition.title',
  },
  twoFactorFor: { administrators: 'settings.who.administrators', all: 'settings.who.all' },
  strangers: { keep: 'privacy.strangersKeep', discard: 'privacy.strangersDiscard' },
  processingMode: {
    speed: 'recognition.modes.speed',
    balanced: 'recognition.modes.balanced',
    accuracy: 'recognition.modes.accuracy',
  },
  enabledFeatures: features,
  features,
  status: {
    active: 'camera.statuses.active',
    error: 'camera.statuses.error',
    inactive: 'camera.statuses.inactive',
    maintenance: 'camera.statuses.maintenance',
  },
  type: {
    http: 'camera.types.http',
    ip: 'camera.types.ip',
    rtsp: 'camera.types.rtsp',
    usb: 'camera.types.usb',
  },
  role: {
    user: 'users.roles.user',
    operator: 'users.roles.operator',
    admin: 'users.roles.admin',
    superadmin: 'users.roles.superadmin',
  },
};

/** A value as people read it; a dash where there is none. */
export function fieldValue(t: Translate, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t('activityLog.yes') : t('activityLog.no');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') {
    const quality = recordingQualities.find((one) => field === 'quality' && one === value);
    if (quality !== undefined) return qualityWords(t, quality);
    const named = values[field];
    const key = named !== undefined && Object.hasOwn(named, value) ? named[value] : undefined;
    return key === undefined ? value : (t as (key: Key) => string)(key);
  }
  // A list of words or figures is read as one; what is built deeper stands as it was recorded.
  if (!Array.isArray(value) || value.some((one) => typeof one === 'object'))
    return JSON.stringify(value);
  if (value.length === 0) return '–';
  return formatList(value.map((one: unknown) => fieldValue(t, field, one)));
}
