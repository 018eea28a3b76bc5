/**
 * The address of the page as one value. The pages before the sign-in have so few addresses that they need no router;
 * behind it the router writes here what it has done (app/signed-in.tsx).
 */
import { signal } from './signal.ts';

/** Path and query, such as '/login?registered=open'. */
const read = (): string => location.pathname + location.search;

export const address = signal(read());

/** After the address has changed by other means than `go`. */
export const followAddress = (): void => address.set(read());

addEventListener('popstate', followAddress);

export interface GoOptions {
  /** Takes the place of the current address, to which the reader shall not come back. */
  readonly replace?: boolean;
}

/** Opens an address of this application. */
export function go(to: string, { replace = false }: GoOptions = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  followAddress();
}

/** What to do when the reader reaches for a link; set by the code that knows the pages. */
let prepare: (path: string) => void = () => undefined;
export function onReach(listener: (path: string) => void): void {
  prepare = listener;
}
export const reach = (to: string): void => prepare(pathOf(to));

export const pathOf = (at: string): string => at.split('?', 1)[0] ?? '/';
export const queryOf = (at: string): URLSearchParams => new URLSearchParams(at.split('?')[1]);
