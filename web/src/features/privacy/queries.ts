/** What this screen asks the server. */
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { settingsRoutes } from '@nazar/contract/settings.ts';
import { ask } from '#api/query.ts';

export const PAGE_SIZE = 10;

export const policyQuery = () => ask('privacy', settingsRoutes.read, {});
export const erasuresQuery = (page: number) =>
  ask('privacy', privacyRoutes.erasures, { query: { page, page_size: PAGE_SIZE } });
export const endedAccountsQuery = () => ask('privacy', privacyRoutes.endedAccounts, {});
