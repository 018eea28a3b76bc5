/**
 * Who reads the logs, as the logs' own call says: whether an administrator reads is taken from there.
 * Until it answers, and where it fails, the signed-in user is known from the start of the application.
 */
import { accountRoutes, type User } from '@nazar/contract/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';
import { useUser } from '#api/session.ts';

const profileQuery = () => ask('account', accountRoutes.meOfLogs, {});

export const useProfile = () => useQuery(profileQuery());

export function useLogUser(): User {
  const signedIn = useUser();
  return useProfile().data ?? signedIn;
}
