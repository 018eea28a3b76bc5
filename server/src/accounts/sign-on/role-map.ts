/** Maps a provider's claim about a user to a role here. Pure. */
import { roles, type Role } from '@nazar/contract/accounts.ts';

/** The provider's name of a group or a role -> our role. */
export type RoleMap = ReadonlyMap<string, Role>;

/** `cameras-admins=admin,ops=operator`; null if the text is not of that form. */
export function parseRoleMap(text: string): RoleMap | null {
  const map = new Map<string, Role>();
  for (const pair of text.split(',').map((part) => part.trim())) {
    if (pair === '') continue;
    const at = pair.lastIndexOf('=');
    const role = roles.find((known) => known === pair.slice(at + 1).trim());
    if (at < 1 || !role) return null;
    map.set(pair.slice(0, at).trim(), role);
  }
  return map;
}

/**
 * The highest role that the claim's values are mapped to, `user` if none is; null if the map is
 * empty and roles are assigned here. Only an entry that names superadmin gives it.
 */
export function mappedRole(claim: unknown, map: RoleMap): Role | null {
  if (map.size === 0) return null;
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  const held = values.map((value) => (typeof value === 'string' ? map.get(value) : undefined));
  return roles.findLast((role) => held.includes(role)) ?? 'user';
}

/** `realm_access.roles` reaches into objects; a claim whose own name has dots takes precedence. */
export function claimAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
