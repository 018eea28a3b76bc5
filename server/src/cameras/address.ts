/**
 * What an address field may hold: nothing, an http(s) or rtsp(s) URL, or a video device. User name and password
 * inside a URL are split off here, because the URL is shown to administrators, and credentials never are. What a
 * URL means is decided in one place, `contract/src/camera-address.ts`.
 */
import { isIP } from 'node:net';
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
import { CameraFields } from '@nazar/contract/cameras.ts';
import { Problem } from '#lib/problem.ts';
import { filledIn, type Addresses, type AddressField } from './hidden-addresses.ts';

/** The demo video that set-up makes; no form can name it. */
export const demoUrl = 'demo:people';

export interface SplitAddress {
  readonly url: string;
  /** Null: the URL had no user name. */
  readonly username: string | null;
  readonly password: string | null;
}

/** Throws camera_url_refused, camera_url_special_characters, for that field. */
export function splitAddress(
  typed: string,
  type: string,
  field: AddressField = 'url',
): SplitAddress {
  if (typed === '') return { url: '', username: null, password: null };
  if (type === 'usb') {
    if (!/^\/dev\/video\d{1,3}$/.test(typed)) throw new Problem('camera_url_refused', { field });
    return { url: typed, username: null, password: null };
  }
  const read = readAddress(typed);
  if (isAddressFault(read)) {
    const isUnclear = read === 'special_characters';
    throw new Problem(isUnclear ? 'camera_url_special_characters' : 'camera_url_refused', {
      field,
    });
  }
  if (!fitsFields(read)) throw new Problem('camera_url_refused', { field });
  return read;
}

/** False if the parts are too long for the form that shows them to save again. */
const fitsFields = ({ url, username, password }: SplitAddress): boolean =>
  CameraFields.safeParse({
    name: 'x',
    location: 'x',
    url,
    username: username ?? '',
    password: password ?? '',
  }).success;

/**
 * The address for commands that move the camera: an http(s) address on the host of its main stream, with that stream's
 * password. Throws as `splitAddress`.
 */
function deviceAddress(typed: string, main: string): string {
  if (typed === '') return '';
  const { url, username, password } = splitAddress(typed, 'http', 'device_url');
  const isBare = username === null && password === null;
  const isOwn = URL.parse(url)?.hostname === URL.parse(main)?.hostname;
  if (!isBare || !isOwn || !url.startsWith('http')) {
    throw new Problem('camera_url_refused', { field: 'device_url' });
  }
  return url;
}

/** '' if the address names its host in another way than by an IP address. */
function ipAddressIn(url: string): string {
  const host = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? '' : host;
}

/**
 * The IP address of a camera: the typed one, else the one in the address of its stream, which it follows
 * when that changes. `before`: the camera that is changed.
 */
export function ipAddressOf(
  typed: string,
  url: string,
  before: { readonly ip_address: string; readonly url: string } | null = null,
): string {
  const isDerived = typed === before?.ip_address && typed === ipAddressIn(before.url);
  return typed === '' || isDerived ? ipAddressIn(url) : typed;
}

type TypedAddress = Pick<
  CameraFields,
  'type' | 'url' | 'sub_url' | 'device_url' | 'username' | 'password'
>;

/**
 * The addresses and the sign-in for both streams: the typed user name and password, else those in an address. `before`:
 * the addresses of the changed camera, with their secrets. Throws as `splitAddress`, camera_url_masked.
 */
export function reached(
  { url, sub_url, device_url, type, ...typed }: TypedAddress,
  before: Addresses | null = null,
): Addresses & { readonly username: string; readonly password: string } {
  const main = splitAddress(url, type);
  const sub = splitAddress(sub_url, type, 'sub_url');
  const device = deviceAddress(device_url, main.url);
  const password = typed.password || (main.password ?? sub.password ?? '');
  const shown = { url: main.url, sub_url: sub.url, device_url: device };
  return {
    ...filledIn(shown, before, password),
    username: typed.username || (main.username ?? sub.username ?? ''),
    password,
  };
}
