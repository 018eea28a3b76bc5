/** What the signed-in user may do, read from the same lists as the server reads (contract/src/route.ts). */
import type { User } from '@nazar/contract/accounts.ts';
import {
  administrators,
  cameraAdministrators,
  standings,
  unknownReviewers,
  type Standing,
} from '@nazar/contract/route.ts';
import { settingsSections } from '@nazar/contract/settings.ts';

/** A staff account with a lesser role sees everything and changes no camera. */
export function standing(user: User): Standing {
  if (user.role === 'admin' || user.role === 'superadmin') return user.role;
  return user.is_staff || user.is_superuser ? 'staff' : user.role;
}

/** Whether a route lets the user in; `callers`: of its definition. */
export const mayCall = (callers: readonly Standing[], user: User): boolean =>
  callers.includes(standing(user));
export const isAdministrator = (user: User): boolean => administrators.includes(standing(user));
/** What leaves the house is for administrators of their own, not for staff. */
export const mayChangeWebhooks = (user: User): boolean =>
  cameraAdministrators.includes(standing(user));
export const mayChangeCameras = (user: User): boolean =>
  cameraAdministrators.includes(standing(user));
/** Section 6 of the matrix: who reads the section `security`; who changes it is a superadmin. */
export const mayReadSecuritySettings = (user: User): boolean =>
  settingsSections.security.readers.includes(standing(user));
/** The first section of the settings that is the user's. Their own notifications are everyone's. */
export function settingsOf(user: User) {
  if (mayReadSecuritySettings(user)) return '/settings';
  return isAdministrator(user) ? '/settings/users' : '/settings/notifications';
}
export const mayChangeSecuritySettings = (user: User): boolean =>
  settingsSections.security.writers.includes(standing(user));
/** Administrators see as anyone who ranks no higher than they do, themselves excepted. */
export const maySeeAs = (user: User, other: User): boolean =>
  mayChangeCameras(user) && other.id !== user.id && rank(other) <= rank(user);
const rank = (user: User): number => standings.indexOf(standing(user));

/** Whether the user may name unknown people. */
export const mayReviewUnknown = (user: User): boolean => unknownReviewers.includes(standing(user));
export const mayChangeFace = (user: User, face: { created_by: string | null }): boolean =>
  isAdministrator(user) || face.created_by === user.id;
