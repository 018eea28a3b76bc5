/** The address of a broker: `mqtt://host:port` or `mqtts://host:port`, and nothing else. Pure. */
import type { Destination } from '#media/sources/dial/dial.ts';
import { hostOf } from '#media/sources/dial/dial.ts';

const ports = { 'mqtt:': 1883, 'mqtts:': 8883 } as const;
const hostName = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)$/i;

/** Null: it is none. */
export function readBrokerUrl(text: string): Destination | null {
  const url = URL.parse(text);
  if (!url || !(url.protocol in ports)) return null;
  const hasMore = `${url.username}${url.password}${url.search}${url.hash}` !== '';
  if (hasMore || !['', '/'].includes(url.pathname) || !hostName.test(url.hostname)) return null;
  const port = url.port === '' ? ports[url.protocol as keyof typeof ports] : Number(url.port);
  if (port === 0) return null;
  return { host: hostOf(url), port, tls: url.protocol === 'mqtts:' };
}

/** For an address that was checked when it was stored. */
export function destinationOf(text: string): Destination {
  const found = readBrokerUrl(text);
  if (!found) throw new Error('the address of the broker is none');
  return found;
}
