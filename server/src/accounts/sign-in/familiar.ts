/** Whether a sign-in resembles earlier ones: from a known network, with a known kind of device. */
import { addressGroup } from '#http/address.ts';
import type { Client } from '../sessions/sessions.ts';

export interface EarlierSession {
  readonly ip: string;
  readonly user_agent: string;
}

/** Most specific first: Edge and Opera also name Chrome in their user agent, and Chrome names Safari. */
const browsers = ['Edg/', 'OPR/', 'Firefox/', 'Chrome/', 'Safari/', 'curl/'];
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** The kind of device, without versions: an update makes no device unfamiliar. */
function deviceKind(userAgent: string): string {
  const browser = browsers.find((mark) => userAgent.includes(mark)) ?? '';
  const system = systems.find((name) => userAgent.includes(name)) ?? '';
  return `${browser} ${system}`;
}

/** A first sign-in is familiar: there is nothing to compare it with. */
export function isUnfamiliar(
  earlier: readonly EarlierSession[],
  { ip, userAgent }: Pick<Client, 'ip' | 'userAgent'>,
): boolean {
  if (earlier.length === 0) return false;
  const network = addressGroup(ip);
  const device = deviceKind(userAgent);
  const knowsNetwork = earlier.some((session) => addressGroup(session.ip) === network);
  const knowsDevice = earlier.some((session) => deviceKind(session.user_agent) === device);
  return !knowsNetwork || !knowsDevice;
}
