/**
 * How cameras are reached: their passwords are sealed here, opened here, and told to who ingests a camera, tries it or
 * moves it, for that camera's own address alone (C-603).
 */
import type { DeviceLogin } from '@nazar/contract/devices.ts';
import type { UnsavedAddress } from '@nazar/contract/probing.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { holds, type Scope } from '#http/scope.ts';
import { goesElsewhere, reached } from './address.ts';
import type { CameraRow, CameraStore, ListedCamera } from './store.ts';

/** A camera as its ingest needs it. Lives in memory only. */
export interface ReachableCamera {
  readonly id: string;
  readonly name: string;
  readonly type: CameraRow['type'];
  readonly url: string;
  /** The address of the sub-stream; '' where there is none. */
  readonly subUrl: string;
  /** Where it is asked to move; empty where it cannot be asked. */
  readonly deviceUrl: string;
  readonly username: string;
  readonly password: string;
  /** SHA-256 of its certificate in hexadecimal; '' for one that can be verified. */
  readonly certificate: string;
  readonly fps: number;
  readonly rotation: CameraRow['rotation'];
  readonly recognises: boolean;
  /** Whether it is asked for sound. */
  readonly sound: boolean;
  readonly isDemo: boolean;
}

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

  /** The cameras whose picture is wanted, with what it takes to reach them. */
  async toIngest(): Promise<ReachableCamera[]> {
    const rows = await this.#options.store.all();
    return rows.filter(isIngested).flatMap((row) => this.#reachable(row));
  }

  /** How a camera that one may see is reached, for who asks it something now. Throws camera_not_found. */
  async toReach(scope: Scope, id: string): Promise<ReachableCamera> {
    const [camera] = this.#reachable(await this.#options.cameraOf(scope, id));
    if (!camera) throw new Problem('unavailable');
    return camera;
  }

  /**
   * The same of a form that is not saved. Of the camera that is edited the stored password is taken where saving would
   * keep it, and nowhere else (C-603). Throws camera_not_found, camera_url_refused.
   */
  async toReachUnsaved(scope: Scope, form: UnsavedAddress): Promise<UnsavedCamera> {
    const { name, type, certificate } = form;
    const { url, username, password } = reached({ ...form, sub_url: '', device_url: '' });
    if (!form.camera) return { name, type, url, username, password, certificate };
    const saved = await this.toReach(scope, form.camera);
    // The film that set-up made has no address that a form could name.
    if (saved.isDemo) return saved;
    const before = { url: saved.url, sub_url: saved.subUrl };
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

  /** The same for who wants to move it. Throws camera_not_found, forbidden. */
  async toMove(scope: Scope, id: string): Promise<ReachableCamera> {
    const row = await this.#options.cameraOf(scope, id);
    if (!holds(scope, row, 'control')) throw new Problem('forbidden');
    return this.toReach(scope, id);
  }

  /**
   * The address of a device that is to be asked what it is. The stored password of the camera that is edited goes to
   * the host it is kept for, and nowhere else (C-603). Throws camera_not_found.
   */
  async toAskDevice(
    scope: Scope,
    { camera, url, username, password }: DeviceLogin,
  ): Promise<Pick<ReachableCamera, 'url' | 'username' | 'password'>> {
    if (!camera || password !== '') return { url, username, password };
    const saved = await this.toReach(scope, camera);
    const isSame = URL.parse(url)?.hostname === URL.parse(saved.url)?.hostname;
    const isKept = isSame && username === saved.username;
    return { url, username, password: isKept ? saved.password : '' };
  }

  /** As it is kept. Null: there is none. */
  seal(id: string, password: string): Buffer | null {
    return password === '' ? null : this.#options.key.sealText(password, passwordPlace(id));
  }

  /** Nothing when its password does not open: that camera alone is not ingested. */
  #reachable(row: CameraRow): ReachableCamera[] {
    try {
      const {
        id,
        name,
        type,
        url,
        sub_url: subUrl,
        device_url: deviceUrl,
        username,
        certificate,
      } = row;
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

/** Whether its picture is wanted. */
export const isIngested = ({ status, url }: CameraRow): boolean =>
  status === 'active' && url !== '';

const passwordPlace = (id: string): string => `camera.password:${id}`;
