/** Goes through the list of alerts and acts on the one that has the focus, by single keys, unless they are off. */
import { nextStatuses } from '@nazar/contract/alerts.ts';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useSignal } from '#lib/signal.ts';
import type { AskFor } from '../action-dialogs.tsx';
import type { ChangeStatus, ShownAlert } from '../shown-alert.ts';
import { canBeSnoozed } from '../snooze/snoozes.ts';
import { commandOf, statusOf, type AlertCommand } from './alert-keys.ts';
import { shortcuts } from './shortcuts.ts';

export interface AlertKeysOptions {
  alerts: readonly ShownAlert[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onChange: ChangeStatus;
  onAsk: AskFor;
  onKeys: () => void;
}

/** The titles of the rows, in their order: what is focused in a row. */
const titlesIn = (list: Element | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-alert]') ?? []),
];
/** -1: the focus is in no row. */
const focusedAt = (list: Element | null): number =>
  titlesIn(list).findIndex(
    (title) => title.closest('li, tr')?.contains(document.activeElement) === true,
  );

/** What takes letters itself. */
const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), select, textarea, [contenteditable], [role=menu]') !==
    null;
const isCovered = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]') !== null;

/** Answers the ref of the element that holds the rows. */
export function useAlertKeys(options: AlertKeysOptions): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const areOn = useSignal(shortcuts) === 'on';
  useFocusStays(list);
  const run = useEffectEvent((command: AlertCommand): boolean => {
    if (command === 'keys') {
      options.onKeys();
      return true;
    }
    const at = focusedAt(list.current);
    if (command === 'next' || command === 'before') {
      const to = at === -1 ? 0 : at + (command === 'next' ? 1 : -1);
      titlesIn(list.current)[to]?.focus();
      return true;
    }
    const id = titlesIn(list.current)[at]?.dataset['alert'];
    const alert = options.alerts.find((one) => one.id === id);
    return alert !== undefined && act(options, command, alert);
  });
  useEffect(() => {
    if (!areOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || takesLetters(event.target) || isCovered()) return;
      const command = commandOf(event);
      if (command !== null && run(command)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [areOn]);
  return list;
}

/** False: the alert can't be given that status any more. */
function act(options: AlertKeysOptions, command: AlertCommand, alert: ShownAlert): boolean {
  const { chosen, onChoose, onAsk, onChange } = options;
  if (command === 'select') {
    onChoose([alert.id], !chosen.has(alert.id));
    return true;
  }
  if (command === 'snooze') {
    if (!canBeSnoozed(alert)) return false;
    onAsk('snooze', alert);
    return true;
  }
  const status = statusOf[command];
  if (status === undefined || !nextStatuses[alert.status].includes(status)) return false;
  if (status === 'resolved') onAsk('resolve', alert);
  else void onChange([alert], { status });
  return true;
}

/** A row that leaves the list takes the focus along: the one that takes its place gets it. */
function useFocusStays(list: RefObject<HTMLDivElement | null>): void {
  const last = useRef(-1);
  useEffect(() => {
    const onFocus = (): void => {
      last.current = focusedAt(list.current);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
  useEffect(() => {
    if (last.current === -1 || document.activeElement !== document.body) return;
    const titles = titlesIn(list.current);
    titles[Math.min(last.current, titles.length - 1)]?.focus();
  });
}
