/**
 * Adds cameras out of a configuration of Frigate or go2rtc. The browser sends the file twice, once to be shown what is
 * in it and once with what was chosen, so that nothing of it, least of all its passwords, is kept here in between;
 * both times it is read anew, and each camera is added by the rules of the form.
 */
import { withoutSignIns } from '@nazar/contract/address-text.ts';
import type {
  ConfigurationFile,
  FoundCamera,
  ImportChoice,
  ImportFault,
  ImportOutcome,
  ImportPreview,
  LeftOut,
} from '@nazar/contract/camera-import.ts';
import { maxImportCameras } from '@nazar/contract/camera-import.ts';
import { CameraFields, type Camera } from '@nazar/contract/cameras.ts';
import { ofCameraAddress } from '@nazar/contract/refusals.ts';
import { asName } from '#lib/names.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { reached } from '../address.ts';
import { configurationOf, type Configuration } from './configuration.ts';
import { readConfiguration } from './read-file.ts';
import { isNotTaken, readSource, type Stream, type Variables } from './source.ts';
import type { Written } from './written.ts';

export interface CameraImportOptions {
  /** Name and addresses of every camera there is. */
  readonly present: () => Promise<readonly Present[]>;
  readonly add: (scope: Scope, fields: CameraFields) => Promise<Camera>;
}

interface Present {
  readonly name: string;
  readonly url: string;
  readonly sub_url: string;
}

interface Readable {
  readonly key: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly fields: Pick<CameraFields, 'type' | 'url' | 'sub_url' | 'username' | 'password'>;
}

interface Contents {
  readonly kind: Configuration['kind'];
  readonly cameras: readonly Readable[];
  readonly leftOut: readonly LeftOut[];
}

export class CameraImport {
  readonly #options: CameraImportOptions;

  constructor(options: CameraImportOptions) {
    this.#options = options;
  }

  /** Throws import_unreadable, import_too_long, import_too_complex, import_aliases, import_unknown. */
  async preview(file: ConfigurationFile): Promise<ImportPreview> {
    const { kind, cameras, leftOut } = await this.#read(file);
    const unset = leftOut.flatMap(({ fault, about }) =>
      fault === 'variable_unset' ? about.split(', ') : [],
    );
    return {
      kind,
      cameras: cameras.map(shown),
      left_out: [...leftOut],
      unset_variables: [...new Set(unset)].toSorted(),
    };
  }

  /** Each camera for itself: one that is refused stops no other. Throws as `preview`. */
  async add(scope: Scope, choice: ImportChoice): Promise<ImportOutcome[]> {
    const { cameras, leftOut } = await this.#read(choice);
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
    return outcomes;
  }

  async #addOne(
    scope: Scope,
    { key, isEnabled, fields }: Readable,
    name: string,
    { location, activate }: ImportChoice,
  ): Promise<ImportOutcome> {
    const status = activate && isEnabled ? 'active' : 'inactive';
    const whole = CameraFields.parse({ ...fields, name, location, status });
    try {
      return { key, name, camera: (await this.#options.add(scope, whole)).id, fault: null };
    } catch (error) {
      const isOfAddress =
        error instanceof Problem && ofCameraAddress.some((code) => code === error.code);
      if (!isOfAddress) throw error;
      return { key, name, camera: null, fault: 'address_refused' };
    }
  }

  async #read({ text, variables: given }: ConfigurationFile): Promise<Contents> {
    const values = given.filter(({ value }) => value !== '');
    const variables: Variables = new Map(values.map(({ name, value }) => [name, value]));
    const {
      kind,
      cameras: written,
      variables: all,
    } = configurationOf(readConfiguration(text), variables);
    const known = new Map<string, { readonly name: string; readonly fault: ImportFault }>();
    for (const { name, url, sub_url: sub } of await this.#options.present()) {
      for (const address of [url, sub]) known.set(address, { name, fault: 'exists' });
    }
    const cameras: Readable[] = [];
    const leftOut: LeftOut[] = [];
    for (const camera of written.map(withoutSecrets)) {
      const { key, name } = camera;
      const { found, faults } = readCamera(camera, all);
      leftOut.push(...faults.map((fault) => ({ key, name: short(name), ...fault })));
      if (!found) continue;
      const before = known.get(found.fields.url);
      if (before || cameras.length === maxImportCameras) {
        const fault = before?.fault ?? 'over_limit';
        leftOut.push({ key, name: found.name, fault, about: before?.name ?? '' });
        continue;
      }
      known.set(found.fields.url, { name: found.name, fault: 'twice' });
      cameras.push(found);
    }
    return { kind, cameras, leftOut };
  }
}

type Fault = Pick<LeftOut, 'fault' | 'about'>;

/** A name may be an address with a password; two that are alike without it stay two. */
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

/** The camera as the form would send it, null where it has no stream to be had, and what of it is not taken. */
function readCamera(
  { key, name, isEnabled, main, sub, unknown }: Written,
  variables: Variables,
): { readonly found: Readable | null; readonly faults: readonly Fault[] } {
  const faults: Fault[] = unknown.map((about) => ({
    fault: 'unknown_stream',
    about: short(about),
  }));
  const first = firstUsable(main, variables);
  const second = firstUsable(sub, variables);
  faults.push(...first.faults, ...second.faults);
  if (main.length === 0 && unknown.length === 0) faults.push({ fault: 'no_source', about: '' });
  if (key.length > 300 || !first.stream) return { found: null, faults };
  const isShared = second.stream !== null && isSameSignIn(first.stream, second.stream);
  if (second.stream && !isShared) faults.push({ fault: 'other_sign_in', about: '' });
  const fields = fieldsOf(first.stream, isShared ? second.stream : null);
  if (!fields) return { found: null, faults: [...faults, { fault: 'address_refused', about: '' }] };
  return { found: { key, name: short(name), isEnabled, fields }, faults };
}

/** The first source that Nazar opens; those before it with why not, those behind it as what they are: more. */
function firstUsable(
  sources: readonly string[],
  variables: Variables,
): { readonly stream: Stream | null; readonly faults: readonly Fault[] } {
  let stream: Stream | null = null;
  const faults: Fault[] = [];
  for (const written of sources.slice(0, 20)) {
    const source = readSource(written, variables);
    if (isNotTaken(source)) faults.push(source);
    else if (stream === null) ({ stream } = source);
    else faults.push({ fault: 'further_source', about: '' });
  }
  return { stream, faults };
}

/** Both streams of a camera are asked for with one user name and password (C-603). */
const isSameSignIn = (main: Stream, sub: Stream): boolean =>
  URL.parse(main.url)?.hostname === URL.parse(sub.url)?.hostname &&
  main.username === sub.username &&
  main.password === sub.password;

/** Null when the form would refuse it. */
function fieldsOf(main: Stream, sub: Stream | null): Readable['fields'] | null {
  const type = main.url.startsWith('rtsp') ? ('rtsp' as const) : ('http' as const);
  const { url, username, password } = main;
  const typed = { type, url, sub_url: sub?.url ?? '', username, password };
  const isWhole = CameraFields.safeParse({ name: 'x', location: 'x', ...typed }).success;
  if (!isWhole) return null;
  try {
    return { ...typed, url: reached({ ...typed, device_url: '' }).url };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

const shown = ({ key, name, isEnabled, fields }: Readable): FoundCamera => {
  const { password, ...rest } = fields;
  return { key, name, ...rest, has_password: password !== '', is_enabled: isEnabled };
};

/** Names may be as long as a camera's. */
const short = (name: string): string => asName(name, 150) || '-';
