/** Who may stand where: pure, so that it can be read as a table. */
import { mayChangeCameras } from '#api/rights.ts';
import type { Session } from '#api/session.ts';

/** `shell` is every page behind the sign-in; `recovery` is for a user with a link, signed in or not. */
export type Place = 'login' | 'setup' | 'recovery' | 'shell';

const places: Readonly<Record<string, Place>> = {
  '/login': 'login',
  '/register': 'login',
  '/forgot-password': 'login',
  '/reset-password': 'recovery',
  '/setup': 'setup',
};

/** Whatever has no place of its own is a page behind the sign-in, or leads to one. */
export const placeOf = (path: string): Place => places[path] ?? 'shell';

/** Where a user who wants `place` must go instead; null: may stay. */
export function redirectFrom(place: Place, session: Session): '/' | '/login' | '/setup' | null {
  if (session.kind === 'setup') return place === 'setup' ? null : '/setup';
  if (place === 'recovery') return null;
  if (session.kind !== 'in') return place === 'login' ? null : '/login';
  if (place === 'shell') return null;
  // The wizard's later steps are for users who may add cameras.
  return place === 'setup' && mayChangeCameras(session.user) ? null : '/';
}
