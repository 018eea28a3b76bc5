/** As a `ref`: what comes into the page takes the focus, and so is seen and read out. Give it `tabIndex={-1}`. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
