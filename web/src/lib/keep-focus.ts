import type { MouseEvent } from 'react';

/**
 * For buttons of a form: a press leaves the focus in the field that has it. A field that loses it while something is
 * wrong with it says so, moves everything below from under the finger, and the click is lost.
 */
export function keepFieldFocus(event: MouseEvent<HTMLButtonElement>): void {
  const focused = document.activeElement;
  const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
  if (isField && event.currentTarget.form?.contains(focused) === true) event.preventDefault();
}
