/** Which addresses a webhook may have: public and private ones, this machine where it is meant, never one of the link. */
import { isIP } from 'node:net';
import { verdictOf, type AddressPolicy } from '#media/protocol/address-policy.ts';
import { Problem } from '#lib/problem.ts';

/** The policy of addresses; whether loopback counts is each webhook's own. */
export type WebhookPolicy = (allowLoopback: boolean) => AddressPolicy;

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** `never`: the link, metadata services, multicast, reserved ranges, and ports of Nazar on this machine. */
export const mayDial = (address: string, port: number, policy: AddressPolicy): boolean =>
  verdictOf(address, port, policy) !== 'never';

/**
 * Throws webhook_address_invalid, webhook_address_login, webhook_address_loopback, webhook_address_refused. A name is
 * judged by what it resolves to when it is dialed.
 */
export function webhookAddress(typed: string, allowLoopback: boolean, policy: WebhookPolicy): URL {
  const field = 'address';
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Problem('webhook_address_invalid', { field });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('webhook_address_login', { field });
  }
  url.hash = '';
  const host = hostOf(url);
  if (isIP(host) === 0) return url;
  if (mayDial(host, portOf(url), policy(allowLoopback))) return url;
  const isOnlyLoopback = !allowLoopback && mayDial(host, portOf(url), policy(true));
  throw new Problem(isOnlyLoopback ? 'webhook_address_loopback' : 'webhook_address_refused', {
    field,
  });
}
