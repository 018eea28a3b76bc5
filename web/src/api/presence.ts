/**
 * Whether the reader is present. A request that a page makes on its own, because time passed or news came, is
 * marked (`X-Poll: 1`): it must not keep a session alive whose owner has left.
 */

/** For this long after an input event, requests of the page still count as the reader's own. */
const PRESENT_MS = 60_000;
const deeds = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let lastDeedMs = Date.now();
for (const deed of deeds) {
  globalThis.addEventListener(deed, () => (lastDeedMs = Date.now()), {
    capture: true,
    passive: true,
  });
}

export const isUserPresent = (): boolean => Date.now() - lastDeedMs < PRESENT_MS;
