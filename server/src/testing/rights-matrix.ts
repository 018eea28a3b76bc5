/**
 * Who may do what: the matrix of the security plan (its section 6), written down a second time and on
 * purpose not read from the route table, so that a wrong `callers` or a store that forgets its scope shows.
 *
 * Every new route gets a line in `rights/`: `METHOD /path/` under the row it belongs to, or a new row.
 *
 * Cells, in the order anonymous, user, operator, staff, admin, superadmin:
 *
 *   -     refused: 401 to callers who are not signed in, 403 to those who are
 *   own   what one made, or is
 *   vis   what one made, or was granted
 *   all   everyone's
 *   123   this status, whomever's it is
 *
 * The seventh principal is an API key: with the scope of the row its owner's cell, without it refused.
 */
import { alertRights } from './rights/alerts.ts';
import { notificationRights } from './rights/notifications.ts';
import { cameraRights } from './rights/cameras.ts';
import { entryRights } from './rights/entry.ts';
import { installationRights } from './rights/installation.ts';
import { ownAccountRights } from './rights/own-account.ts';
import { passkeyRights } from './rights/passkeys.ts';
import { peopleRights } from './rights/people.ts';
import type { MatrixRow } from './rights/row.ts';
import { userRights } from './rights/users.ts';

export const matrix: readonly MatrixRow[] = [
  ...entryRights,
  ...ownAccountRights,
  ...userRights,
  ...cameraRights,
  ...peopleRights,
  ...installationRights,
  ...alertRights,
  ...notificationRights,
  // The last: who has a passkey signs in with it from now on.
  ...passkeyRights,
];
