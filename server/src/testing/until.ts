/** Longer than anything takes on a busy machine: what comes to it hangs. */
const withinMs = 120_000;

/** Asks again until it is so. For work that does not report its end. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`it is not so after ${withinMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
