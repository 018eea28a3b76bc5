/**
 * The address of a camera as a user types it for `npm run probe`: as a word of the command, at a prompt, or on
 * standard input. A password is asked for without showing it.
 */
import { splitAddress } from '#cameras/address.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reachable } from '#media/protocol/messages.ts';
import { Lines, type Asked } from './lines.ts';

/** `word`: the address in the command, if there was one. Throws camera_url_refused; a Refusal when nothing is typed. */
export async function askCamera(
  word: string | undefined,
  asked: Asked,
): Promise<Omit<Reachable, 'certificate'>> {
  using lines = new Lines(asked);
  const typed = (word ?? (await lines.next('Address of the camera: '))).trim();
  if (typed === '') throw new Refusal('There is no address.');
  const type = typed.startsWith('/dev/') ? 'usb' : 'ip';
  const { url, ...account } = splitAddress(typed, type);
  const asksUser = word === undefined && asked.isTerminal && type !== 'usb';
  const username =
    account.username ?? (asksUser ? await lines.next('User name (Enter: none): ') : '');
  const password =
    account.password ?? (username === '' ? '' : await lines.next('Password: ', { isShown: false }));
  return { type, url, username, password };
}
