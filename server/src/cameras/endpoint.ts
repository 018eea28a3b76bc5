/** The host of a camera, to which its password is bound. Pure. */

/** Scheme, host and port. If they change, the password is required again. */
export function endpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

interface Streams {
  readonly url: string;
  readonly sub_url: string;
}

/** Whether the password given for `before` would be sent to a new host, or no longer has a host. */
export function goesElsewhere(before: Streams, after: Streams): boolean {
  if (after.url === '') return before.url !== '';
  const known = [before.url, before.sub_url].map(endpoint);
  return [after.url, after.sub_url].some((url) => url !== '' && !known.includes(endpoint(url)));
}
