/** Whether single keys act in the list: who speaks to the computer, or brushes a key, can turn them off. */
import { signal } from '#lib/signal.ts';
import { store, stored } from '#lib/storage.ts';

type OnOff = 'on' | 'off';

export const shortcuts = signal<OnOff>(stored('shortcuts') === 'off' ? 'off' : 'on');

export function setShortcuts(next: OnOff): void {
  store('shortcuts', next === 'off' ? next : null);
  shortcuts.set(next);
}
