/** Asks again until it is so; the test's own limit bounds it. For what tells nobody when it is done. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 2));
}
