/** Leaves the application for another site. An object, so that a test can see where to. */
export const leave = {
  to(address: string): void {
    if (/^https?:\/\//.test(address)) location.assign(address);
  },
};
