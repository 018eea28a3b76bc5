/**
 * What an address field may hold (C-506): nothing, an http(s) or rtsp(s) URL, or a video device. User name
 * and password inside a URL are split off here, because the URL is shown to administrators and kept in
 * the clear, and credentials never are (H-7).
 */
import type { CameraFields } from '@nazar/contract/cameras.ts';
import { Problem } from '#lib/problem.ts';

const schemes = new Set(['http:', 'https:', 'rtsp:', 'rtsps:']);
/** The film that set-up makes; no form can name it. */
export const demoUrl = 'demo:people';

export interface SplitAddress {
  readonly url: string;
  /** Null: the URL had no user name. */
  readonly username: string | null;
  readonly password: string | null;
}

/** Throws camera_url_refused, of that field. */
export function splitAddress(
  typed: string,
  type: string,
  field: 'url' | 'sub_url' = 'url',
): SplitAddress {
  if (typed === '') return { url: '', username: null, password: null };
  if (type === 'usb') {
    if (!/^\/dev\/video\d{1,3}$/.test(typed)) throw new Problem('camera_url_refused', { field });
    return { url: typed, username: null, password: null };
  }
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (!url || !schemes.has(url.protocol) || url.hostname === '') {
    throw new Problem('camera_url_refused', { field });
  }
  const username = url.username === '' ? null : decode(url.username);
  const password = url.password === '' ? null : decode(url.password);
  url.username = '';
  url.password = '';
  return { url: url.href, username, password };
}

/**
 * Where a camera is asked to move: an http(s) address on the host of its main stream, whose password it is asked with.
 * Throws camera_url_refused.
 */
function deviceAddress(typed: string, main: string): string {
  if (typed === '') return '';
  const url = URL.parse(typed);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isBare = url?.username === '' && url.password === '';
  if (!url || !isHttp || !isBare || url.hostname !== URL.parse(main)?.hostname) {
    throw new Problem('camera_url_refused', { field: 'device_url' });
  }
  return url.href;
}

type TypedAddress = Pick<
  CameraFields,
  'type' | 'url' | 'sub_url' | 'device_url' | 'username' | 'password'
>;

/** How both streams are reached: by one user name and password, those typed, else those in an address. */
export function reached({ url, sub_url, device_url, type, ...typed }: TypedAddress) {
  const main = splitAddress(url, type);
  const sub = splitAddress(sub_url, type, 'sub_url');
  return {
    url: main.url,
    sub_url: sub.url,
    device_url: deviceAddress(device_url, main.url),
    username: typed.username || (main.username ?? sub.username ?? ''),
    password: typed.password || (main.password ?? sub.password ?? ''),
  };
}

interface Addresses {
  readonly url: string;
  readonly sub_url: string;
}

/** Whether the password that was given for `before` would go where it did not, or has nowhere to go. */
export function goesElsewhere(before: Addresses, after: Addresses): boolean {
  if (after.url === '') return before.url !== '';
  const known = [before.url, before.sub_url].map(endpoint);
  return [after.url, after.sub_url].some((url) => url !== '' && !known.includes(endpoint(url)));
}

/** Where a camera is reached: scheme, host and port. A change of it asks for the password again (C-603). */
export function endpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
