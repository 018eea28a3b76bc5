/**
 * Adds cameras from a configuration of Frigate or go2rtc. The browser sends the file twice, once for a preview of its
 * contents and once with the user's choice, so that nothing of it, least of all its passwords, is stored here in
 * between. Both times it is read from scratch, and each camera is added by the rules of the forms: a field that the
 * caller may not set there is not set here. Every setting of the file is taken over or listed.
 */
import { setImmediate } from 'node:timers/promises';
import { withoutSignIns } from '@nazar/contract/address-text.ts';
import type { CameraGroup, CameraGroupFields } from '@nazar/contract/access.ts';
import type {
  ConfigurationFile,
  FoundCamera,
  FoundGroup,
  ImportChoice,
  ImportFault,
  ImportOutcome,
  ImportPreview,
  LeftOut,
} from '@nazar/contract/camera-import.ts';
import { maxImportCameras } from '@nazar/contract/camera-import.ts';
import { CameraFields, type Camera } from '@nazar/contract/cameras.ts';
import { ofCameraAddress } from '@nazar/contract/refusals.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { configurationOf, type Configuration } from './configuration.ts';
import { usualRecording, type TakenRecording } from './frigate-recording.ts';
import { ListedSettings } from './left-settings.ts';
import { readCamera, short, type Readable } from './read-camera.ts';
import { readConfiguration } from './read-file.ts';
import type { Remark } from './settings.ts';
import type { Variables } from './source.ts';
import type { Written, WrittenGroup } from './written.ts';

/** Cameras that are read before other work gets a turn: some 10 ms. A file has 10,000 at most. */
const betweenTurns = 20;

export interface CameraImportOptions {
  /** Name and addresses of every existing camera. */
  readonly present: () => Promise<readonly Present[]>;
  readonly add: (scope: Scope, fields: CameraFields) => Promise<Camera>;
  readonly setZones: (
    scope: Scope,
    cameraId: string,
    zones: readonly ZoneFields[],
  ) => Promise<unknown>;
  /** Sets how a camera is recorded; null: not at all. */
  readonly record: (
    scope: Scope,
    cameraId: string,
    recording: TakenRecording | null,
  ) => Promise<unknown>;
  readonly groups: {
    list(scope: Scope): Promise<readonly CameraGroup[]>;
    add(scope: Scope, fields: CameraGroupFields): Promise<CameraGroup>;
  };
}

interface Present {
  readonly name: string;
  readonly url: string;
  readonly sub_url: string;
}

interface Contents {
  readonly kind: Configuration['kind'];
  readonly cameras: readonly Readable[];
  readonly leftOut: readonly LeftOut[];
  readonly groups: readonly FoundGroup[];
  readonly settings: ListedSettings;
}

export class CameraImport {
  readonly #options: CameraImportOptions;

  constructor(options: CameraImportOptions) {
    this.#options = options;
  }

  /** Throws import_unreadable, import_too_long, import_too_complex, import_aliases, import_unknown. */
  async preview(scope: Scope, file: ConfigurationFile): Promise<ImportPreview> {
    const { kind, cameras, leftOut, groups, settings } = await this.#read(scope, file);
    const unset = leftOut.flatMap(({ fault, about }) =>
      fault === 'variable_unset' ? about.split(', ') : [],
    );
    return {
      kind,
      cameras: cameras.map(shown),
      left_out: [...leftOut],
      groups: [...groups],
      settings_left: settings.listed,
      settings_left_more: settings.more,
      unset_variables: [...new Set(unset)].toSorted(),
    };
  }

  /** Each camera is added separately: a refused one stops no other. Throws as `preview`. */
  async add(scope: Scope, choice: ImportChoice): Promise<ImportOutcome[]> {
    const { cameras, leftOut, groups } = await this.#read(scope, choice);
    const left = new Map(cameras.map((camera) => [camera.key, camera]));
    const faults = new Map(leftOut.toReversed().map(({ key, fault }) => [key, fault]));
    const outcomes: ImportOutcome[] = [];
    for (const { key, name } of choice.cameras) {
      const found = left.get(key);
      left.delete(key);
      const fault = faults.get(key) ?? 'no_source';
      outcomes.push(
        found ? await this.#addOne(scope, found, name, choice) : { key, name, camera: null, fault },
      );
    }
    await this.#addGroups(scope, groups, outcomes);
    return outcomes;
  }

  async #addOne(
    scope: Scope,
    { key, isEnabled, fields, settings }: Readable,
    name: string,
    { location, activate }: ImportChoice,
  ): Promise<ImportOutcome> {
    const { add, setZones, record } = this.#options;
    const status = activate && isEnabled ? 'active' : 'inactive';
    const whole = CameraFields.parse({ ...fields, name, location, status });
    try {
      const { id } = await add(scope, whole);
      if (settings.zones.length > 0) await setZones(scope, id, settings.zones);
      const { recording } = settings;
      if (!isUsual(recording)) await record(scope, id, recording);
      return { key, name, camera: id, fault: null };
    } catch (error) {
      const isOfAddress =
        error instanceof Problem && ofCameraAddress.some((code) => code === error.code);
      if (!isOfAddress) throw error;
      return { key, name, camera: null, fault: 'address_refused' };
    }
  }

  async #addGroups(
    scope: Scope,
    groups: readonly FoundGroup[],
    outcomes: readonly ImportOutcome[],
  ): Promise<void> {
    const ids = new Map(outcomes.map(({ key, camera }) => [key, camera]));
    for (const { name, cameras: keys } of groups) {
      const cameras = keys.flatMap((key) => ids.get(key) ?? []);
      if (cameras.length === 0) continue;
      try {
        await this.#options.groups.add(scope, { name, description: '', cameras });
      } catch (error) {
        // Another group got that name since the preview: this import must not change its cameras.
        if (!(error instanceof Problem) || error.code !== 'group_exists') throw error;
      }
    }
  }

  async #read(scope: Scope, { text, variables: given }: ConfigurationFile): Promise<Contents> {
    const values = given.filter(({ value }) => value !== '');
    const variables: Variables = new Map(values.map(({ name, value }) => [name, value]));
    const file = configurationOf(readConfiguration(text), variables);
    const known = new Map<string, { readonly name: string; readonly fault: ImportFault }>();
    for (const { name, url, sub_url: sub } of await this.#options.present()) {
      for (const address of [url, sub]) known.set(address, { name, fault: 'exists' });
    }
    const cameras: Readable[] = [];
    const leftOut: LeftOut[] = [];
    const settings = new ListedSettings(withoutSignIn);
    for (const [index, written] of file.cameras.entries()) {
      if (index % betweenTurns === 0) await setImmediate();
      const camera = withoutSecrets(written, index);
      const { key, name } = camera;
      if (cameras.length === maxImportCameras) {
        leftOut.push({ key, name: short(name), fault: 'over_limit', about: '' });
        continue;
      }
      const { found, faults, remarks } = readCamera(camera, file.variables);
      leftOut.push(...faults.map((fault) => ({ key, name: short(name), ...fault })));
      if (!found) continue;
      const before = known.get(found.fields.url);
      if (before) {
        leftOut.push({ key, name: found.name, fault: before.fault, about: before.name });
        continue;
      }
      known.set(found.fields.url, { name: found.name, fault: 'twice' });
      const allowed = ofCaller(scope, found);
      settings.found(written.key, key);
      settings.add([...remarks, ...allowed.remarks], key);
      cameras.push(allowed.camera);
    }
    const groups = await this.#groupsOf(scope, file.groups, settings);
    settings.addFile(file.left);
    return { kind: file.kind, cameras, leftOut, groups, settings };
  }

  /** The groups to add. An existing group of that name stays unchanged: its viewers were chosen for its cameras. */
  async #groupsOf(
    scope: Scope,
    written: readonly WrittenGroup[],
    settings: ListedSettings,
  ): Promise<FoundGroup[]> {
    if (written.length === 0) return [];
    const names = new Set((await this.#options.groups.list(scope)).map(({ name }) => name));
    const groups: FoundGroup[] = [];
    for (const { name: raw, cameras: keys, path } of written) {
      const name = short(withoutSignIn(raw));
      const cameras = keys.flatMap((key) => settings.keyOf(key) ?? []);
      if (cameras.length === 0) continue;
      const reason = isByKey(scope) ? 'not_by_key' : names.has(name) ? 'group_exists' : null;
      names.add(name);
      if (reason === null) groups.push({ name, cameras });
      else settings.add([{ path, value: null, reason }], '');
    }
    return groups;
  }
}

/** Whether it is recorded like every new camera. */
const isUsual = (recording: TakenRecording | null): boolean =>
  recording?.continuous === usualRecording.continuous &&
  recording.retentionDays === usualRecording.retentionDays;

/** API keys cannot set recording or make groups. */
const isByKey = ({ keyScopes }: Scope): boolean => keyScopes !== undefined;

function ofCaller(
  scope: Scope,
  camera: Readable,
): { readonly camera: Readable; readonly remarks: readonly Remark[] } {
  if (!isByKey(scope) || isUsual(camera.settings.recording)) return { camera, remarks: [] };
  const path = [...camera.path, 'record'];
  return {
    camera: { ...camera, settings: { ...camera.settings, recording: usualRecording } },
    remarks: [{ path, value: null, reason: 'not_by_key' }],
  };
}

/** A name may be an address with a password; two names that are equal without it remain two. */
function withoutSecrets(camera: Written, index: number): Written {
  const key = withoutSignIn(camera.key);
  return {
    ...camera,
    key: key === camera.key ? key : `${key} ${index + 1}`,
    name: withoutSignIn(camera.name),
    unknown: camera.unknown.map(withoutSignIn),
  };
}

/** A user name and password without a scheme before them. */
const bareSignIn = /(?<![^\s.])[^\s:/@]{1,100}:\S{0,300}@(?=[\w.-])/g;
const withoutSignIn = (name: string): string => withoutSignIns(name).replace(bareSignIn, '');

const shown = ({ key, name, isEnabled, fields, settings }: Readable): FoundCamera => {
  const { password, device_url, enable_audio, enable_face_recognition, ...rest } = fields;
  const { recording, zones, zonesOfSub } = settings;
  return {
    key,
    name,
    ...rest,
    has_password: password !== '',
    is_enabled: isEnabled,
    settings: {
      recording: recording && {
        continuous: recording.continuous,
        retention_days: recording.retentionDays,
      },
      enable_audio,
      enable_face_recognition,
      motion_zones: zones.length,
      zones_of_sub: zonesOfSub,
      device_url,
    },
  };
};
