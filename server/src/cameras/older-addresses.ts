/**
 * Addresses that were stored before today's parsing: a secret in a path or a query was stored in
 * plain text, and a password with `/`, `?` or `#` was parsed as a port and a path. At each start, before any camera is
 * connected, such rows are parsed again, because an older backup may have been restored. A migration cannot do that:
 * it has no key to seal with.
 */
import { isIP } from 'node:net';
import {
  decoded,
  isAddressFault,
  readAddress,
  type CameraAddress,
} from '@nazar/contract/camera-address.ts';
import { secretsIn } from '@nazar/contract/address-secrets.ts';
import type { Log } from '#lib/log.ts';
import { addressFields, type AddressField, type Addresses } from './hidden-addresses.ts';
import type { Reaching } from './reaching.ts';
import type { CameraChange, CameraRow, CameraStore } from './store.ts';

export interface OlderAddressesOptions {
  readonly store: Pick<CameraStore, 'all' | 'transaction' | 'change'>;
  readonly reaching: Reaching;
  readonly log: Log;
}

export async function moveOlderAddresses(options: OlderAddressesOptions): Promise<void> {
  const { store, log } = options;
  for (const row of (await store.all()).filter(isOlder)) {
    const change = changeOf(row, options.reaching);
    await store.transaction((tx) => store.change(tx, { id: row.id }, change));
    const fields = Object.keys(change);
    log.warn({ camera: row.id, fields }, 'what was secret in an address of before is sealed now');
  }
}

const isOlder = (row: CameraRow): boolean =>
  !row.is_demo &&
  row.type !== 'usb' &&
  addressFields.some((field) => row[field].includes('@') || secretsIn(row[field]).length > 0);

function changeOf(row: CameraRow, reaching: Reaching): CameraChange {
  const read = addressFields.map((field) => readOlder(row[field], row.username !== ''));
  const known = reaching.addressesOf(row);
  const whole = (field: AddressField): string => {
    const { url } = read[addressFields.indexOf(field)]!;
    // A secret that is sealed already has its mask in the row.
    return url === row[field] && known !== null ? known[field] : url;
  };
  const addresses: Addresses = {
    url: whole('url'),
    sub_url: whole('sub_url'),
    device_url: whole('device_url'),
  };
  const found = read.find(({ username }) => username !== null);
  return {
    ...reaching.sealAddresses(row.id, addresses),
    ...(found && { username: found.username ?? '' }),
    ...(found && !row.password && { password: reaching.seal(row.id, found.password ?? '') }),
  };
}

/**
 * `hasUser`: the user name was entered in its own field, so the address contains none. Otherwise the text before the @
 * is a name, unless the parsed host is an IP address or has a dot, as hosts of this network do.
 */
export function readOlder(url: string, hasUser: boolean): CameraAddress {
  const plain = { url, username: null, password: null };
  const read = readAddress(url);
  if (!isAddressFault(read)) return read;
  if (!url.includes('@')) return plain;
  const start = url.indexOf('://') + 3;
  const at = url.lastIndexOf('@');
  const host = readAddress(url.slice(0, start) + url.slice(at + 1));
  const inPath = { ...plain, url: url.slice(0, start) + url.slice(start).replaceAll('@', '%40') };
  if (hasUser || isAddressFault(host) || isHostFirst(url, host.url)) return inPath;
  const [, username = '', password = ''] =
    /^([^:/?#]*)[:/?#]?(.*)$/.exec(url.slice(start, at)) ?? [];
  return {
    url: host.url,
    username: decoded(username) || null,
    password: decoded(password) || null,
  };
}

/** Whether the host is the one that a parser finds. */
function isHostFirst(url: string, other: string): boolean {
  const [first, second] = [url, other].map((one) => URL.parse(one)?.hostname ?? '');
  if (isIP(first!.replace(/^\[|\]$/g, '')) > 0 || first === 'localhost') return true;
  return first!.includes('.') && isIP(second!.replace(/^\[|\]$/g, '')) === 0;
}
