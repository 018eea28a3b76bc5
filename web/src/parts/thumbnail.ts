/** The small version of a person's photo (`faceRoutes.image`, `size`), whatever else its address carries. */
export function thumbnail(address: string): string {
  const url = new URL(address, location.origin);
  url.searchParams.set('size', 'thumb');
  return url.pathname + url.search;
}
