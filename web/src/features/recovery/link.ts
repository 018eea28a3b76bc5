/**
 * The one-time link that brought somebody here. It is taken out of the address at once, so that it stands in
 * no history and on no screenshot, and is kept in memory only: after a reload the letter has to be opened again.
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
