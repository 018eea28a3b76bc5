/**
 * What the fields of an entry of the activity log are called, and their values that come from a list: keys of `app.json`,
 * the words of the pages they are set on. The pages show them, and the server finds entries by them.
 */
import type { CameraFields } from './cameras.ts';
import type { MqttFields } from './mqtt.ts';
import type { UpdateMe } from './own-account.ts';
import type { RecordingSettingsPatch } from './recording-plans.ts';
import type { Settings } from './settings.ts';

type Labels<Name extends string> = Readonly<Record<Name, string>>;

const settings = {
  twoFactorAuth: 'settings.twoFactor',
  twoFactorFor: 'settings.twoFactorFor',
  sessionTimeout: 'settings.timeout',
  allowedIPs: 'security.addresses',
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
} as const satisfies Labels<
  { [Section in keyof Settings]: keyof Settings[Section] }[keyof Settings]
>;

const camera = {
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
} as const satisfies Labels<keyof CameraFields>;

const recording = {
  storagePath: 'recordingSettings.path',
  continuousRecording: 'recordingSettings.continuous',
  motionDetection: 'recordingSettings.motion',
  schedule: 'recordingSettings.schedule',
  retentionDays: 'recordingSettings.retention',
  quality: 'recordingSettings.quality',
} as const satisfies Labels<keyof RecordingSettingsPatch>;

const profile = {
  first_name: 'person.firstName',
  last_name: 'person.lastName',
  email: 'person.email',
  phone: 'person.phone',
  position: 'person.position',
  department: 'profile.department',
  address: 'profile.address',
  birthdate: 'profile.birthdate',
  bio: 'profile.bio',
} as const satisfies Labels<Exclude<keyof UpdateMe, 'password' | 'passkey'>>;

/** By which names the log has the fields of MQTT: those of cameras have some of their names. */
export const mqttFieldNames = {
  enabled: 'broker_enabled',
  url: 'broker_url',
  protocol: 'broker_protocol',
  username: 'broker_user',
  password: 'broker_password',
  ca: 'broker_ca',
  allow_local: 'broker_local',
  client_id: 'broker_client',
  prefix: 'topic_prefix',
  discovery: 'discovery',
  discovery_prefix: 'discovery_prefix',
  categories: 'named_categories',
} as const satisfies Labels<keyof MqttFields>;

const mqtt = {
  broker_enabled: 'mqtt.enabled',
  broker_url: 'mqtt.url',
  broker_protocol: 'mqtt.protocol',
  broker_user: 'mqtt.username',
  broker_password: 'mqtt.password',
  broker_ca: 'mqtt.ca',
  broker_local: 'mqtt.allowLocal',
  broker_client: 'mqtt.clientId',
  topic_prefix: 'mqtt.prefix',
  discovery: 'mqtt.discovery',
  discovery_prefix: 'mqtt.discoveryPrefix',
  named_categories: 'mqtt.categories',
} as const satisfies Labels<(typeof mqttFieldNames)[keyof MqttFields]>;

/** Fields of actions that are not forms: what the server records beside the change. */
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
  found: 'activityLog.fields.found',
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
} as const;

export const activityFields = {
  ...deeds,
  ...mqtt,
  ...profile,
  ...recording,
  ...camera,
  ...settings,
} as const;

const features = {
  age: 'recognition.feature.age',
  gender: 'recognition.feature.gender',
  emotion: 'recognition.feature.emotion',
  mask: 'recognition.feature.mask',
} as const;

/** What writes the system log: modules of the server, kinds of its processes, and browsers. */
export const sourceWords = {
  accounts: 'systemLog.sources.names.accounts',
  activity: 'nav.activity',
  alerts: 'systemLog.sources.names.alerts',
  browser: 'systemLog.sources.names.browser',
  cameras: 'nav.cameras',
  database: 'systemLog.sources.names.database',
  faces: 'nav.faces',
  http: 'activityLog.sources.request',
  mail: 'systemLog.sources.names.mail',
  media: 'systemLog.sources.names.media',
  mqtt: 'mqtt.title',
  notifications: 'systemLog.sources.names.notifications',
  privacy: 'privacy.title',
  recordings: 'systemLog.sources.names.recordings',
  server: 'systemLog.sources.names.server',
  settings: 'systemLog.sources.names.settings',
  // The module of visits, as the log of every installation has it.
  sightings: 'systemLog.sources.names.sightings',
  system: 'systemLog.system',
  vision: 'systemLog.sources.names.vision',
} as const;

/** By field; words of the product that are recorded as codes. */
export const activityValues = {
  source: sourceWords,
  level: {
    error: 'systemLog.levels.error',
    warning: 'systemLog.levels.warning',
    info: 'systemLog.levels.info',
    debug: 'systemLog.levels.debug',
  },
  section: {
    security: 'settings.security',
    privacy: 'privacy.title',
    recognition: 'recognition.title',
    mqtt: 'mqtt.title',
  },
  allowedIPs: { All: 'security.anyAddress' },
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
} as const;

/** Which field a deed changed that says `from` and `to` and names none. */
export const fieldOfDeed: Readonly<Record<string, keyof typeof activityFields>> = {
  'camera.status_changed': 'status',
  'account.role_changed': 'role',
  'account.role_mapped': 'role',
};
