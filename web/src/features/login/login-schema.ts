/** What the browser checks of the sign-in: loaded with the first answer that is given. */
export { Login as schema } from '@nazar/contract/accounts.ts';
