/**
 * For buttons between the fields of a form: a press leaves the focus where it is. A field that loses it while it is empty
 * says so, moves everything below from under the finger, and the click is lost.
 */
import type { MouseEvent } from 'react';

export const keepFocus = {
  onMouseDown: (event: MouseEvent): void => event.preventDefault(),
};
