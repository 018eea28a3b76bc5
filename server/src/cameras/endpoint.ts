/** Where a camera is reached, which is what its password is bound to. Pure. */

/** Scheme, host and port. A change of it asks for the password again. */
export function endpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

interface Streams {
  readonly url: string;
  readonly sub_url: string;
}

/** Whether the password that was given for `before` would go where it did not, or has nowhere to go. */
export function goesElsewhere(before: Streams, after: Streams): boolean {
  if (after.url === '') return before.url !== '';
  const known = [before.url, before.sub_url].map(endpoint);
  return [after.url, after.sub_url].some((url) => url !== '' && !known.includes(endpoint(url)));
}
