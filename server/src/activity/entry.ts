/** Everything that is recorded; `x.y`: what was done to what. A new kind of deed is a new line here. */
export const actions = [
  'account.login',
  'account.login_failed',
  'account.logout',
  'account.set_up',
  'account.created',
  'account.password_reset',
  'camera.added',
  'camera.replaced',
  'camera.status_changed',
  'camera.deleted',
  'camera.watched',
  'face.added',
  'face.changed',
  'face.deleted',
  'face.images_added',
  'face.image_deleted',
] as const;
export type Action = (typeof actions)[number];

export type ObjectType = 'user' | 'camera' | 'face';

/** Who did it, and from where. A Scope is one. */
export interface Actor {
  /** Null while nobody is signed in. */
  readonly userId: string | null;
  /** '' or null: without a session. */
  readonly sessionId: string | null;
  readonly ip: string;
  readonly userAgent: string;
  /** 'request' when left out. */
  readonly source?: Source;
}

export type Source = 'request' | 'console' | 'client';

/** Somebody at the machine itself. */
export const consoleActor: Actor = {
  userId: null,
  sessionId: null,
  ip: '',
  userAgent: '',
  source: 'console',
};

export type Detail =
  string | number | boolean | null | readonly Detail[] | { readonly [key: string]: Detail };
export type Details = Readonly<Record<string, Detail>>;

export interface Entry {
  readonly actor: Actor;
  readonly action: Action;
  readonly object: { readonly type: ObjectType; readonly id: string } | null;
  /**
   * Never a secret, and nothing that tells who an enrolled person is: their erasure must leave no byte of
   * them, and the chain cannot forget.
   */
  readonly details?: Details;
}

const secretKey =
  /pass(word|phrase|wd)?$|secret|token|cookie|authorization|credential|api_?key|private|bearer|ticket|otp|recovery|hash$|^code$|_code$/i;
/** `rtsp://user:password@host`. */
const secretAddress = /:\/\/[^/\s@]*:[^/\s@]*@/;
const maxLetters = 4_000;

/** Details as they are kept: keys sorted, so that equal details are equal letters. Throws on a secret. */
export function detailsText(details: Details): string {
  const text = canonical(details);
  if (text.length > maxLetters) throw new RangeError(`details have ${text.length} letters`);
  return text;
}

function canonical(value: Detail): string {
  if (typeof value === 'string') {
    if (secretAddress.test(value)) throw new Error('an address with a password is not recorded');
    return JSON.stringify(clean(value));
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

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
export function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
