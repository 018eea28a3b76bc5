/**
 * The one-time link that brought the user here. It is taken out of the address at once, so that it stands in
 * no history and on no screenshot, and is kept in memory only: after a reload the email has to be opened again.
 */
export interface ResetLink {
  readonly uid: string;
  readonly token: string;
}

let kept: ResetLink | null = null;

export function keepLink(link: ResetLink): void {
  kept = link;
}

export const keptLink = (): ResetLink | null => kept;

export function forgetLink(): void {
  kept = null;
}

/** What letters link to: `/reset-password/UID/TOKEN`, and what is shown instead; null: another address. */
export function linkIn(at: string): { link: ResetLink; to: string } | null {
  const [, uid, token, query] = /^\/reset-password\/([^/?]+)\/([^/?]+)\/?(\?.*)?$/.exec(at) ?? [];
  if (uid === undefined || token === undefined) return null;
  const link = { uid: decodeURIComponent(uid), token: decodeURIComponent(token) };
  return { link, to: `/reset-password${query ?? ''}` };
}
