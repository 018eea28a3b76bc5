/** Everything that is recorded; `x.y`: what was done to what. A new kind of action is a new line here. */
export const actions = [
  'account.login',
  'account.login_failed',
  'account.login_throttled',
  'account.proven',
  'account.proof_refused',
  'account.logout',
  'account.session_stolen',
  'account.set_up',
  'account.created',
  'account.password_reset',
  'account.password_changed',
  'account.email_changed',
  'account.notification_address_changed',
  'account.profile_changed',
  'account.security_changed',
  'account.key_created',
  'account.key_revoked',
  'account.key_first_used',
  'account.two_factor_on',
  'account.two_factor_off',
  'account.two_factor_removed',
  'account.recovery_codes_made',
  'account.passkey_added',
  'account.passkey_renamed',
  'account.passkey_removed',
  'account.see_as_begun',
  'account.see_as_ended',
  'account.reset_asked',
  'account.link_issued',
  'account.role_changed',
  'account.enabled',
  'account.disabled',
  'account.deleted',
  'account.unlocked',
  'account.sessions_ended',
  'account.connected',
  'account.disconnected',
  'account.role_mapped',
  'account.group_added',
  'account.group_changed',
  'account.group_deleted',
  'camera.added',
  'camera.replaced',
  'camera.status_changed',
  'camera.zones_changed',
  'camera.alignment_confirmed',
  'camera.alignment_forgotten',
  'camera.moved',
  'camera.deleted',
  'camera.watched',
  'camera.glimpsed',
  'camera.granted',
  'camera.grant_taken',
  'camera.group_added',
  'camera.group_changed',
  'camera.group_deleted',
  'camera.layout_added',
  'camera.layout_changed',
  'camera.layout_deleted',
  'recording.started',
  'recording.stopped',
  'recording.settings_changed',
  'recording.played',
  'recording.tested',
  'recording.deleted',
  'recording.exported',
  'recording.hold_added',
  'recording.hold_removed',
  'recording.bookmark_added',
  'recording.bookmark_removed',
  'face.added',
  'face.category_added',
  'face.changed',
  'face.deleted',
  'face.images_added',
  'face.image_deleted',
  'face.image_set_aside',
  'face.image_used_again',
  'face.viewed',
  'face.searched',
  'face.unknown_status_changed',
  'face.unknown_identified',
  'face.unknown_merged',
  'face.unknown_split',
  'face.unknown_undone',
  'face.not_this_person',
  'face.this_person_after_all',
  'face.visits_deleted',
  'face.recognized',
  'face.processed',
  'activity.deleted',
  'warning.raised',
  'warning.acknowledged',
  'alert.assigned',
  'alert.resolved',
  'alert.dismissed',
  'alert.rule_added',
  'alert.rule_changed',
  'alert.rule_deleted',
  'alert.mode_changed',
  'alert.snoozed',
  'alert.snooze_ended',
  'push.changed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.old_secret_ended',
  'webhook.tested',
  'webhook.replayed',
  'webhook.disabled',
  'activity.exported',
  'activity.verified',
  'client.create',
  'client.update',
  'client.delete',
  'client.view',
  'client.login',
  'client.logout',
  'client.export',
  'client.import',
  'client.search',
  'client.test',
  'settings.changed',
  'settings.attributes_confirmed',
  'system.key_changed',
  'system.log_deleted',
  'system.log_level_changed',
  'system.support_exported',
  'system.model_change_begun',
  'system.model_losses_accepted',
  'system.model_change_cancelled',
  'system.model_changed',
  'privacy.erasure_asked',
  'privacy.erased',
  'privacy.people_handed_over',
  'privacy.consent_changed',
  'privacy.exported',
  'privacy.unknown_compared',
  'privacy.retention',
  'system.restored',
] as const;
export type Action = (typeof actions)[number];

export const objectTypes = [
  'warning',
  'alert',
  'alert_rule',
  'webhook',
  'user',
  'user_group',
  'camera',
  'camera_group',
  'wall_layout',
  'face',
  'face_category',
  'unknown_face',
  'erasure',
] as const;
export type ObjectType = (typeof objectTypes)[number];

/** The actor, and where the request came from. A Scope is one. */
export interface Actor {
  /** Null while no user is signed in. */
  readonly userId: string | null;
  /** '' or null: without a session. */
  readonly sessionId: string | null;
  readonly ip: string;
  readonly userAgent: string;
  /** The administrator who sees as that user: the entry is about the administrator's action. */
  readonly seenBy?: string | null;
  /** 'request' by default. */
  readonly source?: Source;
}

export type Source = 'request' | 'console' | 'client' | 'system';

/** A person at the machine's console. */
export const consoleActor: Actor = {
  userId: null,
  sessionId: null,
  ip: '',
  userAgent: '',
  source: 'console',
};

/** The server itself, without a request. */
export const systemActor: Actor = { ...consoleActor, source: 'system' };

export type Detail =
  string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail };
export type Details = Readonly<Record<string, Detail>>;

export interface Entry {
  readonly actor: Actor;
  readonly action: Action;
  readonly object: { readonly type: ObjectType; readonly id: string } | null;
  /**
   * Never a secret, and nothing that identifies an enrolled person: erasing a person must leave no byte about
   * them, and the chain cannot forget.
   */
  readonly details?: Details;
}

const secretKey =
  /pass(word|phrase|wd)?$|secret|token|cookie|authorization|credential|api_?key|private|bearer|ticket|otp|recovery|hash$|^code$|_code$/i;
/** `rtsp://user:password@host`: a typed name may contain one, too. */
const secretAddress = /:\/\/[^/\s@]*:[^/\s@]*@/g;
const maxChars = 4_000;

/**
 * Details as they are stored: keys sorted, so that equal details are equal text. Throws on a key that may name a
 * secret, which is a bug; typed text is stored without what may be a password.
 */
export function detailsText(details: Details): string {
  const text = canonical(details);
  if (text.length > maxChars) throw new RangeError(`details have ${text.length} characters`);
  return text;
}

function canonical(value: Detail): string {
  if (typeof value === 'string') {
    return JSON.stringify(clean(value.replaceAll(secretAddress, '://***@')));
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${keyText(key)}:${canonical(field)}`).join(',')}}`;
}

const isList = (value: object): value is readonly Detail[] => Array.isArray(value);

function keyText(key: string): string {
  if (secretKey.test(key)) throw new Error(`"${key}" may be a secret and is not recorded`);
  return JSON.stringify(clean(key));
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
