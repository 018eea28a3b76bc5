/**
 * Where the focus goes when a dialog opens: into the first field of its form, else of its search, so that one types at
 * once. Radix would take the first element that can have it, which is the Close button.
 */
import { letFocusArrive } from './let-focus-arrive.ts';

/** What shows a value to copy is no field; the one chosen of a group of radio buttons stands for the group. */
const fields = [
  'form :is(input, select, textarea):not([readonly], [type=radio]:not(:checked))',
  'input[type=search]',
];

/** False: there is none that can have the focus. */
function focusField(content: HTMLElement): boolean {
  const found = fields.flatMap((one) => [...content.querySelectorAll<HTMLElement>(one)]);
  return found.some((field) => {
    // What is hidden or disabled does not take it.
    field.focus();
    return document.activeElement === field;
  });
}

/**
 * Give it to `onOpenAutoFocus`. A form whose code or answer comes later gets the focus when it is there, unless it has
 * been moved meanwhile; so does the form that takes the place of what had the focus, as the next step of the dialog.
 */
export function focusFirstField(event: Event): void {
  letFocusArrive(event);
  const content = event.currentTarget as HTMLElement;
  let isWaiting = !focusField(content);
  // Otherwise Radix gives it to the Close button; what takes it from there ends the wait.
  if (!isWaiting) event.preventDefault();
  let focused = document.activeElement;
  content.addEventListener('focusin', ({ target }) => {
    // Radix keeps it in the dialog itself while it has no other place.
    if (target !== content) focused = target as Element;
  });
  content.addEventListener('focusout', () => (isWaiting = false));
  const changes = new MutationObserver(() => {
    if (isWaiting || focused?.isConnected === false) isWaiting = !focusField(content) && isWaiting;
  });
  changes.observe(content, { childList: true, subtree: true });
}
