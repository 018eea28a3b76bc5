/**
 * Which cameras exist, who made them, who may see them, and how they are reached. This module keeps their
 * passwords sealed and passes them to the ingest alone. `media` knows whether a camera answers.
 */
import type {
  Camera,
  CameraDoing,
  CameraFields,
  CameraHealth,
  CameraOwner,
  CameraQuery,
  CameraReplacement,
} from '@nazar/contract/cameras.ts';
import { detectionOperators } from '@nazar/contract/route.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { Tx } from '#db/database.ts';
import type { Action, Details } from '#activity/activity.ts';
import { holds, type OwnedCamera, type Scope } from '#http/scope.ts';
import type { Access } from './access.ts';
import { demoUrl, ipAddressOf, reached } from './address.ts';
import { mustBeInNetwork, type JudgeAddress } from './camera-network.ts';
import { doingOf, type CameraRecording } from './doing.ts';
import { goesElsewhere } from './endpoint.ts';
import type { CameraGroups } from './groups.ts';
import { addressFields, type Addresses } from './hidden-addresses.ts';
import { moveOlderAddresses } from './older-addresses.ts';
import { makeParts, type CameraParts, type PartsOptions } from './parts.ts';
import type { Layouts } from './layouts/layouts.ts';
import type { CameraImport } from './import/import.ts';
import { isIngested, type Reaching } from './reaching.ts';
import type { Alignments } from './alignments.ts';
import type { Zones } from './zones.ts';
import type { CameraChange, CameraRow, ListedCamera, WhichCamera } from './store.ts';

export { demoUrl } from './address.ts';
export type { CameraRecording } from './doing.ts';
export { History, type Condition } from './history.ts';
export { addedIds, mustSeeAdded, type VisibleCameras } from './named-cameras.ts';
export type { CameraAlignment, KnownAlignment } from './alignments.ts';
export type { IngestedCamera, ReachableCamera, Reaching, UnsavedCamera } from './reaching.ts';
export { neverTurned, turnsAt, type CameraTurns } from './turned-zones.ts';
export type { CameraMasks } from './zones.ts';

export interface CamerasOptions extends PartsOptions {
  readonly healthOf: (cameraId: string) => CameraHealth;
  readonly recordingOf: (cameraId: string) => CameraRecording;
  /** Whether a connection could be made to an IP address. */
  readonly judgeAddress: JudgeAddress;
}

export class Cameras {
  /** A camera was added, changed or deleted. */
  readonly changed: Topic<{ readonly cameraId: string }>;
  readonly access: Access;
  readonly groups: CameraGroups;
  readonly layouts: Layouts;
  readonly zones: Zones;
  readonly alignments: Alignments;
  readonly importing: CameraImport;
  readonly reaching: Reaching;
  readonly #options: CamerasOptions;
  readonly #parts: CameraParts;

  constructor(options: CamerasOptions) {
    this.#options = options;
    this.changed = new Topic((error) =>
      options.log.error({ err: error }, 'reader of cameras.changed failed'),
    );
    const parts = makeParts(options, {
      cameraOf: (scope, id) => this.#find(scope, id),
      visibleAmong: (scope, ids) => this.visibleAmong(scope, ids),
      add: (scope, fields) => this.add(scope, fields),
      changed: (cameraId) => this.changed.publish({ cameraId }),
    });
    this.#parts = parts;
    this.access = parts.access;
    this.groups = parts.groups;
    this.layouts = parts.layouts;
    this.zones = parts.zones;
    this.alignments = parts.alignments;
    this.importing = parts.importing;
    this.reaching = parts.reaching;
  }

  /** Re-reads addresses stored before their secrets were sealed. Runs before any camera is connected. */
  moveOlderAddresses(): Promise<void> {
    return moveOlderAddresses({
      store: this.#parts.store,
      reaching: this.reaching,
      log: this.#options.log,
    });
  }

  async list(scope: Scope, query: CameraQuery): Promise<{ count: number; results: Camera[] }> {
    const { count, rows } = await this.#parts.store.list(scope, query);
    return { count, results: await this.#asCameras(scope, rows) };
  }

  /** The cameras that the caller may see, by name: the first thousand. */
  names(scope: Scope): Promise<{ id: string; name: string }[]> {
    return this.#parts.store.names(scope);
  }

  /** The makers of the cameras that the caller may see; the caller may know their names. */
  owners(scope: Scope): Promise<CameraOwner[]> {
    return this.#parts.store.owners(scope);
  }

  /** Throws camera_not_found. */
  async read(scope: Scope, id: string): Promise<Camera> {
    return this.#answer(scope, await this.#find(scope, id));
  }

  /** Throws camera_not_found; every use of a camera begins with this check. */
  async mustSee(scope: Scope, id: string): Promise<{ id: string; name: string; status: string }> {
    return this.#find(scope, id);
  }

  /** For data that requires the right to see how the camera is reached. Throws camera_not_found, forbidden. */
  async mustManage(scope: Scope, id: string): Promise<void> {
    const row = await this.#find(scope, id);
    if (!holds(scope, row, 'manage')) throw new Problem('forbidden');
  }

  /** As `mustSee`; administrators find deleted ones too, whose recordings are kept. Throws camera_not_found. */
  async mustSeeEvenDeleted(
    scope: Scope,
    id: string,
  ): Promise<{ readonly id: string; readonly name: string }> {
    const row = await this.#parts.store.find(scope, id);
    const found = row ?? (scope.seesAll ? await this.#parts.store.deleted(id) : null);
    if (!found) throw new Problem('camera_not_found');
    return found;
  }

  /** The makers of these cameras, for code that decides for many readers at once which of them may see the cameras. */
  ownersOf(ids: readonly string[]): Promise<OwnedCamera[]> {
    return this.#parts.store.ownersOf(ids);
  }

  /** Which of these cameras the caller may see. */
  async visibleAmong(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.#parts.store.visibleAmong(scope, ids));
  }

  /** Whether a user made a camera that the caller may see, and so may know the user's name. */
  async hasMadeVisible(scope: Scope, userId: string): Promise<boolean> {
    const query = { created_by: userId, ordering: 'name', page: 1, page_size: 1 } as const;
    return (await this.#parts.store.list(scope, query)).count > 0;
  }

  /** What the camera does now, as answers and news report it. */
  doingOf(id: string): CameraDoing {
    return doingOf(this.#options.healthOf(id), this.#options.recordingOf(id));
  }

  countByStatus(scope: Scope): Promise<Record<CameraRow['status'], number>> {
    return this.#parts.store.countByStatus(scope);
  }

  /** How many of the active cameras that the caller may see send video right now. */
  async countLive(scope: Scope): Promise<number> {
    const ids = await this.#parts.store.activeIds(scope);
    return ids.filter((id) => this.#options.healthOf(id).state === 'live').length;
  }

  async add(scope: Scope, fields: CameraFields): Promise<Camera> {
    const id = uuidv7(this.#options.clock.now());
    const { username, password, ...addresses } = reached(fields);
    mustBeInNetwork(addresses, null, this.#options.judgeAddress);
    const now = new Date(this.#options.clock.now());
    const row: CameraRow = {
      ...columnsOf(fields),
      ip_address: ipAddressOf(fields.ip_address, addresses.url),
      id,
      ...this.reaching.sealAddresses(id, addresses),
      username,
      password: this.reaching.seal(id, password),
      is_demo: false,
      created_by: scope.userId,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    };
    await this.#add(scope, row);
    return this.#answer(scope, { ...row, created_by_email: scope.email });
  }

  /** The camera that plays the demo video: the existing one, or a new one. No form can make one. */
  async addDemo(scope: Scope, name: string, location: string): Promise<string> {
    const present = await this.#parts.store.demoId();
    if (present !== null) return present;
    const id = uuidv7(this.#options.clock.now());
    const now = new Date(this.#options.clock.now());
    await this.#add(scope, {
      id,
      name,
      location,
      description: '',
      type: 'http',
      status: 'active',
      ip_address: '',
      url: demoUrl,
      sub_url: '',
      device_url: '',
      url_secrets: null,
      username: '',
      certificate: '',
      password: null,
      resolution: '1280x720',
      fps: 30,
      rotation: 0,
      enable_face_recognition: true,
      enable_audio: false,
      is_demo: true,
      created_by: scope.userId,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    });
    return id;
  }

  /**
   * Throws camera_not_found, camera_url_refused, camera_url_special_characters, camera_url_masked,
   * camera_password_required, camera_changed.
   */
  async replace(scope: Scope, id: string, fields: CameraReplacement): Promise<Camera> {
    const before = await this.#find(scope, id);
    const seen = fields.updated_at === undefined ? undefined : new Date(fields.updated_at);
    // Before all else: a user with an outdated form should not be asked for the password of another address.
    if (seen && seen.getTime() !== before.updated_at.getTime()) throw new Problem('camera_changed');
    const nowhere = { sub_url: '', device_url: '', username: '', password: '' };
    const known = this.reaching.addressesOf(before);
    const address = before.is_demo ? { ...nowhere, url: before.url } : reached(fields, known);
    const { username, password, ...addresses } = address;
    if (!before.is_demo) mustBeInNetwork(addresses, known, this.#options.judgeAddress);
    const isElsewhere = goesElsewhere(before, address) || username !== before.username;
    if (isElsewhere && before.password && password === '' && address.url !== '') {
      // Otherwise a user who may edit cameras could send the stored password to a host of their own.
      throw new Problem('camera_password_required', { field: 'password' });
    }
    const keepsPassword = password === '' && !isElsewhere;
    const change = {
      ...columnsOf(fields),
      ip_address: ipAddressOf(fields.ip_address, addresses.url, before),
      ...this.#sealedAddresses(before, known, addresses),
      username,
      password: keepsPassword ? before.password : this.reaching.seal(id, password),
      updated_at: new Date(this.#options.clock.now()),
    };
    const details = changed(before, change);
    if (details.fields.length === 0) return this.#answer(scope, before);
    const which = { id, updated_at: seen };
    await this.#change(scope, which, change, 'camera.replaced', details, {
      before: (tx) => this.zones.turn(tx, id, change.rotation),
    });
    return this.#answer(scope, { ...before, ...change });
  }

  async updateStatus(scope: Scope, id: string, status: CameraRow['status']): Promise<Camera> {
    const before = await this.#find(scope, id);
    if (before.status === status) return this.#answer(scope, before);
    const change = { status, updated_at: new Date(this.#options.clock.now()) };
    const details = { from: before.status, to: status };
    await this.#change(scope, { id }, change, 'camera.status_changed', details);
    return this.#answer(scope, { ...before, ...change });
  }

  /** Recordings and visits of the camera stay; its addresses and password are wiped at once. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { name } = await this.#find(scope, id);
    const now = new Date(this.#options.clock.now());
    const addresses = { url: '', sub_url: '', device_url: '', url_secrets: null, ip_address: '' };
    const wiped = { ...addresses, username: '', certificate: '', password: null };
    const change = { ...wiped, status: 'inactive', updated_at: now, deleted_at: now } as const;
    await this.#change(
      scope,
      { id },
      change,
      'camera.deleted',
      { name },
      {
        after: (tx) => this.access.forget(tx, id),
      },
    );
  }

  /** Sealed secrets are sealed again only if they change, because the activity log names the changed fields. */
  #sealedAddresses(before: CameraRow, known: Addresses | null, now: Addresses) {
    const { url, sub_url, device_url, url_secrets } = before;
    const isSame = known && addressFields.every((field) => known[field] === now[field]);
    return isSame
      ? { url, sub_url, device_url, url_secrets }
      : this.reaching.sealAddresses(before.id, now);
  }

  /** Ids of the cameras that may be recorded: those that are ingested. */
  async toRecord(): Promise<string[]> {
    const rows = await this.#parts.store.all();
    return rows.filter(isIngested).map(({ id }) => id);
  }

  async #add(scope: Scope, row: CameraRow): Promise<void> {
    await this.#parts.store.transaction(async (tx) => {
      await this.#parts.store.add(tx, row);
      const object = { type: 'camera', id: row.id } as const;
      const details = { name: row.name, type: row.type, demo: row.is_demo };
      await this.#options.activity.record(tx, {
        actor: scope,
        action: 'camera.added',
        object,
        details,
      });
    });
    this.changed.publish({ cameraId: row.id });
  }

  async #change(
    scope: Scope,
    which: WhichCamera,
    change: CameraChange,
    action: Action,
    details: Details,
    also: { readonly [when in 'before' | 'after']?: (tx: Tx) => Promise<void> } = {},
  ): Promise<void> {
    await this.#parts.store.transaction(async (tx) => {
      await also.before?.(tx);
      if (!(await this.#parts.store.change(tx, which, change))) {
        throw new Problem(which.updated_at === undefined ? 'camera_not_found' : 'camera_changed');
      }
      await also.after?.(tx);
      const object = { type: 'camera', id: which.id } as const;
      await this.#options.activity.record(tx, { actor: scope, action, object, details });
    });
    this.changed.publish({ cameraId: which.id });
  }

  async #find(scope: Scope, id: string): Promise<ListedCamera> {
    const row = await this.#parts.store.find(scope, id);
    if (!row) throw new Problem('camera_not_found');
    return row;
  }

  async #answer(scope: Scope, row: ListedCamera): Promise<Camera> {
    const [camera] = await this.#asCameras(scope, [row]);
    return camera!;
  }

  async #asCameras(scope: Scope, rows: readonly ListedCamera[]): Promise<Camera[]> {
    const ids = rows.map(({ id }) => id);
    const online = await this.#parts.online.lastDay(ids, new Date(this.#options.clock.now()));
    const turned = await this.zones.turnedAmong(ids);
    return rows.map((row) => ({
      ...this.#asCamera(scope, row),
      zones_turned: turned.has(row.id),
      online_24h_s: online.get(row.id) ?? null,
    }));
  }

  /** How a camera is reached is shown to administrators, to its maker, and to users with `manage`. */
  #asCamera(scope: Scope, row: ListedCamera): Omit<Camera, 'zones_turned' | 'online_24h_s'> {
    const showsAddress = holds(scope, row, 'manage');
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      location: row.location,
      type: row.type,
      status: row.status,
      ...(showsAddress && addressOf(row)),
      has_url: row.url !== '',
      has_password: row.password !== null,
      may_move: row.device_url !== '' && holds(scope, row, 'control'),
      may_play: holds(scope, row, 'recordings'),
      may_detect: detectionOperators.includes(scope.standing) && holds(scope, row, 'detect'),
      resolution: row.resolution,
      fps: row.fps,
      rotation: row.rotation,
      enable_face_recognition: row.enable_face_recognition,
      enable_audio: row.enable_audio,
      recording_modes: [...this.#options.recordingOf(row.id).modes],
      is_demo: row.is_demo,
      created_by:
        row.created_by === null || row.created_by_email === null
          ? null
          : { id: row.created_by, email: row.created_by_email },
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      ...this.doingOf(row.id),
    };
  }
}

/** Fields recorded with their values; how a camera is reached may hold secrets, so only the names are recorded. */
const openFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'location',
  'type',
  'status',
]);

/** An entry has little room; a description may have 2,000 characters. */
const maxRecordedChars = 300;
const short = (value: unknown): unknown =>
  typeof value === 'string' ? value.slice(0, maxRecordedChars) : value;

/**
 * The fields that change, and the values before and after of those that are no secrets: the activity log never holds
 * the value of an address or a password.
 */
function changed(
  before: CameraRow,
  change: CameraChange,
): { readonly fields: string[]; readonly changes?: Details } {
  const { updated_at: _, ...values } = change;
  const was: Readonly<Record<string, unknown>> = { ...before };
  const others = Object.entries(values).filter(([name, value]) => was[name] !== value);
  const open = others.filter(([name]) => openFields.has(name));
  const changes = open.map(([name, value]) => [name, { from: short(was[name]), to: short(value) }]);
  return {
    // The secrets in an address are a part of it.
    fields: [...new Set(others.map(([name]) => (name === 'url_secrets' ? 'url' : name)))],
    ...(open.length > 0 && { changes: Object.fromEntries(changes) as Details }),
  };
}

const addressOf = ({ ip_address, url, sub_url, device_url, username, certificate }: CameraRow) => ({
  ip_address,
  url,
  sub_url,
  device_url,
  username,
  certificate,
});

/** The fields of a form that are stored unchanged in columns. */
function columnsOf(fields: CameraFields) {
  return {
    name: fields.name,
    description: fields.description,
    location: fields.location,
    type: fields.type,
    status: fields.status,
    certificate: fields.certificate,
    resolution: fields.resolution,
    fps: fields.fps,
    rotation: fields.rotation,
    enable_face_recognition: fields.enable_face_recognition,
    enable_audio: fields.enable_audio,
  };
}
