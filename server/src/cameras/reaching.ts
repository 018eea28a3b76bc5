/**
 * How cameras are reached: their passwords are sealed here, opened here, and passed to code that ingests, tests or
 * moves a camera, for that camera's own address alone.
 */
import type { DeviceLogin } from '@nazar/contract/devices.ts';
import type { UnsavedAddress } from '@nazar/contract/probing.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { holds, type Scope } from '#http/scope.ts';
import { reached, splitAddress } from './address.ts';
import { goesElsewhere } from './endpoint.ts';
import { filledIn, hidden, unhidden, type Addresses } from './hidden-addresses.ts';
import type { CameraRow, CameraStore, ListedCamera } from './store.ts';

/** A camera as its ingest needs it. Lives in memory only. */
export interface ReachableCamera {
  readonly id: string;
  readonly name: string;
  readonly type: CameraRow['type'];
  readonly url: string;
  /** The address of the sub-stream; '' if there is none. */
  readonly subUrl: string;
  /** The address for moving it; empty if it cannot be moved. */
  readonly deviceUrl: string;
  readonly username: string;
  readonly password: string;
  /** SHA-256 of its certificate in hexadecimal; '' for one that can be verified. */
  readonly certificate: string;
  readonly fps: number;
  readonly rotation: CameraRow['rotation'];
  readonly recognises: boolean;
  /** Whether its sound is requested. */
  readonly sound: boolean;
  readonly isDemo: boolean;
}

/** `streamsId`: changes whenever an address of the camera changes. */
export type IngestedCamera = ReachableCamera & { readonly streamsId: string };

export type UnsavedCamera = Pick<
  ReachableCamera,
  'name' | 'type' | 'url' | 'username' | 'password' | 'certificate'
>;

export interface ReachingOptions {
  readonly store: Pick<CameraStore, 'all'>;
  readonly key: SecretKey;
  readonly log: Log;
  /** Throws camera_not_found. */
  readonly cameraOf: (scope: Scope, id: string) => Promise<ListedCamera>;
}

export class Reaching {
  readonly #options: ReachingOptions;

  constructor(options: ReachingOptions) {
    this.#options = options;
  }

  /** The cameras to ingest, with everything needed to reach them. */
  async toIngest(): Promise<IngestedCamera[]> {
    const rows = await this.#options.store.all();
    return rows
      .filter(isIngested)
      .flatMap((row) =>
        this.#reachable(row).map((camera) => ({ ...camera, streamsId: row.streams_id })),
      );
  }

  /** How a camera that the caller may see is reached, for a request to it now. Throws camera_not_found. */
  async toReach(scope: Scope, id: string): Promise<ReachableCamera> {
    const [camera] = this.#reachable(await this.#options.cameraOf(scope, id));
    if (!camera) throw new Problem('unavailable');
    return camera;
  }

  /**
   * The same for a form that is not saved. The stored password of the edited camera is used where saving would
   * keep it, and nowhere else. Throws camera_not_found, camera_url_refused, camera_url_special_characters,
   * camera_url_masked.
   */
  async toReachUnsaved(scope: Scope, form: UnsavedAddress): Promise<UnsavedCamera> {
    const { name, type, certificate } = form;
    const typed = { ...form, sub_url: '', device_url: '' };
    if (!form.camera) {
      const { url, username, password } = reached(typed);
      return { name, type, url, username, password, certificate };
    }
    const saved = await this.toReach(scope, form.camera);
    // The demo video that set-up made has no address that a form could name.
    if (saved.isDemo) return saved;
    const before = addressesOf(saved);
    const { url, username, password } = reached(typed, before);
    const isElsewhere = goesElsewhere(before, { url, sub_url: '' });
    const isKept = !isElsewhere && username === saved.username;
    return {
      name,
      type,
      url,
      username,
      certificate,
      password: password || (isKept ? saved.password : ''),
    };
  }

  /** The same for a caller who wants to move it. Throws camera_not_found, forbidden. */
  async toMove(scope: Scope, id: string): Promise<ReachableCamera> {
    const row = await this.#options.cameraOf(scope, id);
    if (!holds(scope, row, 'control')) throw new Problem('forbidden');
    return this.toReach(scope, id);
  }

  /**
   * The address of a device whose description is requested. The stored password of the edited camera is sent to
   * the host it is stored for, and nowhere else. Throws camera_not_found, camera_url_refused,
   * camera_url_special_characters, camera_url_masked.
   */
  async toAskDevice(
    scope: Scope,
    { camera, url: typed, ...login }: DeviceLogin,
  ): Promise<Pick<ReachableCamera, 'url' | 'username' | 'password'>> {
    const read = splitAddress(typed, 'http');
    const username = login.username || (read.username ?? '');
    const given = login.password || (read.password ?? '');
    const saved = camera ? await this.toReach(scope, camera) : null;
    const before = saved && { ...addressesOf(saved), url: saved.deviceUrl };
    const { url } = filledIn({ url: read.url, sub_url: '', device_url: '' }, before, given);
    if (!saved || given !== '') return { url, username, password: given };
    const isSame = URL.parse(url)?.hostname === URL.parse(saved.url)?.hostname;
    const isKept = isSame && username === saved.username;
    return { url, username, password: isKept ? saved.password : '' };
  }

  /** Hosts and user names of all cameras, which do not leave this installation. */
  async places(): Promise<string[]> {
    const rows = await this.#options.store.all();
    return rows.flatMap(({ url, sub_url: sub, device_url: device, ip_address: ip, username }) => {
      const hosts = [url, sub, device].map((one) => URL.parse(one)?.hostname ?? '');
      return [...hosts, ip, username].filter((word) => word !== '');
    });
  }

  /** The password as it is stored. Null: there is none. */
  seal(id: string, password: string): Buffer | null {
    return password === '' ? null : this.#options.key.sealText(password, passwordPlace(id));
  }

  /** Addresses as they are stored: the form to show, and their secrets sealed. */
  sealAddresses(id: string, whole: Addresses): Addresses & { readonly url_secrets: Buffer | null } {
    const { shown, secrets } = hidden(whole);
    const { key } = this.#options;
    const sealed = secrets === null ? null : key.sealText(secrets, addressesPlace(id));
    return { ...shown, url_secrets: sealed };
  }

  /** The addresses of a camera with their secrets; null if those cannot be opened. */
  addressesOf(row: CameraRow): Addresses | null {
    try {
      return this.#openAddresses(row);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Throws SealBroken. */
  #openAddresses({ id, url_secrets: sealed, ...shown }: CameraRow): Addresses {
    const secrets = sealed && this.#options.key.openText(sealed, addressesPlace(id));
    const whole = unhidden(shown, secrets);
    if (!whole) throw new SealBroken(`not all of ${addressesPlace(id)}`);
    return whole;
  }

  /** Empty if its password does not open: that camera alone is not ingested. */
  #reachable(row: CameraRow): ReachableCamera[] {
    try {
      const { id, name, type, username, certificate } = row;
      const { url, sub_url: subUrl, device_url: deviceUrl } = this.#openAddresses(row);
      const { fps, rotation } = row;
      const password = row.password
        ? this.#options.key.openText(row.password, passwordPlace(id))
        : '';
      const recognises = row.enable_face_recognition;
      const { is_demo: isDemo, enable_audio: sound } = row;
      const addresses = { url, subUrl, deviceUrl, username, password, certificate };
      return [{ id, name, type, ...addresses, fps, rotation, recognises, sound, isDemo }];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#options.log.error({ err: error, camera: row.id }, 'password of a camera does not open');
      return [];
    }
  }
}

/** Whether the camera is to be ingested. */
export const isIngested = ({ status, url }: CameraRow): boolean =>
  status === 'active' && url !== '';

const addressesOf = ({ url, subUrl, deviceUrl }: ReachableCamera): Addresses => ({
  url,
  sub_url: subUrl,
  device_url: deviceUrl,
});

const addressesPlace = (id: string): string => `camera.url_secrets:${id}`;
const passwordPlace = (id: string): string => `camera.password:${id}`;
