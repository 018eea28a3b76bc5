/**
 * Waits for a page that is being scrolled to rest. Not every browser we serve reports the end of a scroll
 * (`scrollend`), so it is over when no step of it was seen for a while.
 */
const quietMs = 150;
let lastStepMs = -Infinity;

document.addEventListener('scroll', () => (lastStepMs = performance.now()), {
  capture: true, // of anything on the page: scroll events do not bubble
  passive: true,
});

/** Acts at once where nothing is scrolled, else as soon as it rests; what it returns takes that back. */
export function afterScroll(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    const leftMs = lastStepMs + quietMs - performance.now();
    if (leftMs <= 0) act();
    else timer = setTimeout(look, leftMs);
  };
  look();
  return () => clearTimeout(timer);
}
