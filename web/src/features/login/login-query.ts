import { signOnFaults, type SignOnFault } from '@nazar/contract/sign-on.ts';

/** What the registration, or the new password, that came before the sign-in has to say. */
export interface LoginQuery {
  readonly registered?: 'open' | 'approval';
  readonly passwordSet?: true;
  /** How signing in with the provider elsewhere ended. */
  readonly signOn?: SignOnFault | 'proven';
}

/** Anything else that stands in the address says nothing. */
export function readLoginQuery(query: URLSearchParams): LoginQuery {
  const said = query.get('signOn');
  const signOn = said === 'proven' ? said : signOnFaults.find((fault) => fault === said);
  if (signOn !== undefined) return { signOn };
  const registered = query.get('registered');
  if (registered === 'open' || registered === 'approval') return { registered };
  return query.get('passwordSet') === 'true' ? { passwordSet: true } : {};
}
