const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By its form alone: the schemas of the contract would weigh 15 kB on every page, as the router reads addresses. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && id.test(value);

/** What an address has where an id belongs; what can't be one is left out. */
export const idOf = (value: unknown): string | undefined => (isId(value) ? value : undefined);
