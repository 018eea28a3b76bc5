const isWeb = (address: string): boolean => /^https?:\/\//.test(address);

/** Leaves the application for another site. An object, so that a test can see where to. */
export const leave = {
  to(address: string): void {
    if (isWeb(address)) location.assign(address);
  },

  /** What is on the screen stays there, unless the browser opens no tabs. */
  inNewTab(address: string): void {
    if (!isWeb(address)) return;
    const tab = window.open(address, '_blank');
    if (tab) tab.opener = null;
    else location.assign(address);
  },
};
