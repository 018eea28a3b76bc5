import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Up, Down, Home and End move the focus between the buttons of a list; Tab reaches each of them, too. */
export function useRove(): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const step = steps[event.key];
    if (at < 0 || (step === undefined && event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    const next = step === undefined ? (event.key === 'Home' ? 0 : -1) : at + step;
    const index = step === undefined ? next : Math.max(0, Math.min(buttons.length - 1, next));
    buttons.at(index)?.focus();
  };
}
