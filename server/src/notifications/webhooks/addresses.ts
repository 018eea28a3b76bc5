/** Which addresses a webhook may have: public and private ones, this machine where it is meant, never one of the link. */
import { isIP } from 'node:net';
import { isAllowed, type AddressPolicy } from '#media/protocol/address-policy.ts';
import { destinationOf } from '#media/sources/dial/dial.ts';
import { Problem } from '#lib/problem.ts';

/**
 * The policy of addresses, which has every network; whether loopback counts is each webhook's own. It never allows the
 * link, metadata services, multicast, reserved ranges, and ports of Nazar on this machine.
 */
export type WebhookPolicy = (allowLoopback: boolean) => AddressPolicy;

/**
 * Throws webhook_address_invalid, webhook_address_login, webhook_address_loopback, webhook_address_refused. A name is
 * judged by what it resolves to when it is dialed.
 */
export function webhookAddress(typed: string, allowLoopback: boolean, policy: WebhookPolicy): URL {
  const field = 'address';
  const url = URL.parse(typed);
  const to = url && destinationOf(url, 'http');
  if (!to) throw new Problem('webhook_address_invalid', { field });
  if (url.username !== '' || url.password !== '') {
    throw new Problem('webhook_address_login', { field });
  }
  url.hash = '';
  if (isIP(to.host) === 0) return url;
  if (isAllowed(to.host, to.port, policy(allowLoopback))) return url;
  const isOnlyLoopback = !allowLoopback && isAllowed(to.host, to.port, policy(true));
  throw new Problem(isOnlyLoopback ? 'webhook_address_loopback' : 'webhook_address_refused', {
    field,
  });
}
