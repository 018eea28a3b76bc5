/** What a client calls itself, as people know it. */
import { joined } from '#lib/joined.ts';

/** Most specific first: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const;

/** Names of products, the same in every language; null for what calls itself otherwise. */
export function deviceOf(userAgent: string): string | null {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find((name) => userAgent.includes(name));
  const parts = [browser, system].filter((part) => part !== undefined);
  return parts.length === 0 ? null : joined(parts, ', ');
}
