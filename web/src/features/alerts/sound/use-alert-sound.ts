/** Plays a sound for each new alert while it is turned on. The choice is kept in this browser. */
import type { Snooze } from '@nazar/contract/snoozes.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { signal, useSignal } from '#lib/signal.ts';
import { store, stored } from '#lib/storage.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { alertsQuery } from '../queries.ts';
import { isSnoozed, snoozesQuery } from '../snooze/snoozes.ts';
import { openChime, type Chime } from './chime.ts';
import { newcomers, type Known } from './newcomers.ts';

export interface AlertSound {
  readonly isOn: boolean;
  /** Turned on, but the browser waits for the reader to press something on the page. */
  readonly isWaiting: boolean;
  readonly toggle: () => void;
}

const isOnNow = signal(stored('alert-sound') === 'on');
const isWaitingNow = signal(false);

function toggle(): void {
  const next = !isOnNow.get();
  store('alert-sound', next ? 'on' : null);
  isOnNow.set(next);
}

export function useAlertSound(): AlertSound {
  const isOn = useSignal(isOnNow);
  const isWaiting = useSignal(isWaitingNow);
  useChimes(isOn, useChime(isOn));
  return { isOn, isWaiting, toggle };
}

function useChime(isOn: boolean): RefObject<Chime | null> {
  const chime = useRef<Chime | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    const opened = openChime();
    chime.current = opened;
    const allow = async (): Promise<void> => {
      isWaitingNow.set(!opened.isAllowed);
      await opened.allow();
      isWaitingNow.set(!opened.isAllowed);
    };
    const onPress = (): void => void allow();
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) document.addEventListener(event, onPress);
    // The press that turned it on counts already.
    onPress();
    return () => {
      for (const event of events) document.removeEventListener(event, onPress);
      opened[Symbol.dispose]();
      chime.current = null;
      isWaitingNow.set(false);
    };
  }, [isOn]);
  return chime;
}

const none: readonly Snooze[] = [];

/** Any new alert counts, whatever the list is filtered by. */
function useChimes(isOn: boolean, chime: RefObject<Chime | null>): void {
  const { ids, isKnown } = useOwnCameras();
  const { data, isPlaceholderData } = useQuery({
    ...alertsQuery({ status: 'new' }, ids),
    enabled: isOn && isKnown,
  });
  const snoozes = useQuery({ ...snoozesQuery(), enabled: isOn }).data?.results ?? none;
  const known = useRef<Known | null>(null);
  useEffect(() => {
    if (!isOn) known.current = null;
    if (!isOn || data === undefined || isPlaceholderData) return;
    const next = newcomers(known.current, data.results);
    known.current = next.known;
    const sounding = next.came.filter((alert) => !isSnoozed(alert, snoozes));
    const isCritical = sounding.some(({ level }) => level === 'critical');
    if (sounding.length > 0) chime.current?.play(isCritical);
  }, [isOn, chime, data, isPlaceholderData, snoozes]);
}
