/** Subscriptions of devices: checked when a browser gives one, and as they are stored. */
import { createHash, ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import type { PushDeviceFields } from '@nazar/contract/push.ts';
import { Problem } from '#lib/problem.ts';
import { destinationOf } from '#media/sources/dial/dial.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Dialing } from '../deliveries/post.ts';

/** Where the device is sent to, its public key, and the secret that it shares with this server; both base64url. */
export type Subscription = Pick<PushDeviceFields, 'endpoint' | 'p256dh' | 'auth'>;

/**
 * The address of a subscription whose keys are good. A name is judged by what it resolves to when it is dialed. Throws
 * push_endpoint_refused.
 */
export function endpointOf({ endpoint, p256dh }: Subscription, allows: Dialing['allows']): URL {
  const refused = new Problem('push_endpoint_refused', { field: 'endpoint' });
  const url = URL.parse(endpoint);
  const to = url && destinationOf(url, 'http');
  if (!url || !to?.tls || url.username !== '' || url.password !== '') throw refused;
  if (isIP(to.host) !== 0 && !allows(to.host, to.port)) throw refused;
  if (!isKey(p256dh)) throw refused;
  return url;
}

/** Whether it is a point of the curve: nothing can be encrypted for another one. */
function isKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** By which a device is found again. */
export const endpointHash = (endpoint: string): Buffer =>
  createHash('sha256').update(endpoint).digest();

export const sealedSubscription = (key: SecretKey, id: string, given: Subscription): Buffer =>
  key.sealText(
    JSON.stringify({ endpoint: given.endpoint, p256dh: given.p256dh, auth: given.auth }),
    placeOf(id),
  );

export const openedSubscription = (key: SecretKey, id: string, sealed: Buffer): Subscription =>
  JSON.parse(key.openText(sealed, placeOf(id))) as Subscription;

const placeOf = (id: string): string => `push_device.subscription:${id}`;
