type Search = Record<string, unknown>;

/**
 * The router puts what a page understands of an address over what stands there: what the page leaves out would reach
 * it all the same. It is undefined instead.
 */
export const onlyKnown =
  <T extends object>(read: (given: Search) => T) =>
  (given: Search): T => ({
    ...Object.fromEntries(Object.keys(given).map((name) => [name, undefined])),
    ...read(given),
  });
