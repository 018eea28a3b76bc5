/**
 * What a window of Radix does when the element that had the focus is taken away: it takes the focus itself. It sees only
 * that something went away while the focus was nowhere, which it also is on its way from one field to the next: an
 * error that ends when its field is left, or the tooltip of a button, threw a reader back to the top of the window with
 * each Tab, and what stands below was out of reach of the keyboard.
 *
 * Give it to `onOpenAutoFocus`: the window takes the focus only if that is still nowhere when it would have arrived.
 */
export function letFocusArrive({ currentTarget }: Event): void {
  const content = currentTarget as HTMLElement;
  const focusNow = content.focus.bind(content);
  content.focus = (options) => {
    if (!isNowhere()) return focusNow(options);
    // A task later: what a browser does with one key is done.
    setTimeout(() => content.isConnected && isNowhere() && focusNow(options), 0);
  };
}

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;
