/** The routes of the contract, for tests that ask something of each of them. */
import { api } from '@nazar/contract/api.ts';
import { atEachPath, type Route } from '@nazar/contract/route.ts';

/** As the tables of the contract list them. */
export const listedRoutes: readonly Route[] = Object.values(api).flatMap(
  (module) => Object.values(module) as Route[],
);

/** Each at each of its paths. */
export const routes: readonly Route[] = listedRoutes.flatMap(atEachPath);

/** As the matrix of rights and the reference name it. */
export const named = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path}`;

/** The id of nothing that there is. */
export const unknownId = '0190f7c1-0000-7000-8000-000000000000';

/** A path about nothing that there is. */
export const addressOf = (path: string): string => path.replace(/:\w+/g, unknownId);
