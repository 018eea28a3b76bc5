/**
 * The cost of password hashes in tests that aren't about it. A real hash takes 65 ms of one core, and a server with
 * a user of every role makes and checks eight. `accounts/sign-in/login.db.test.ts` proves that a server which is given
 * no cost takes the full one.
 */
import type { HashCost } from '#accounts/accounts.ts';

export const lightHashes: HashCost = { memoryKiB: 8, passes: 1 };
