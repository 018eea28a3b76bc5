import type { KeyboardEvent } from 'react';
import { commandOf, isOwnKey, type PlayerCommand } from './player-keys.ts';

/** Does what the key is for in a player, unless what has the focus needs it itself. */
export function pressed(
  event: KeyboardEvent<HTMLElement>,
  run: (command: PlayerCommand) => void,
  has: (command: PlayerCommand) => boolean = () => true,
): void {
  const target = event.target as Element;
  // What lies in a dialog above is not in the frame, though its events pass here.
  if (!event.currentTarget.contains(target) || isOwnKey(target, event.code)) return;
  const command = event.defaultPrevented ? null : commandOf(event.nativeEvent);
  if (command === null || !has(command)) return;
  event.preventDefault();
  run(command);
}
