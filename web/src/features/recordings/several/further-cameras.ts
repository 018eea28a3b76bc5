/** The cameras of the address that are shown in step with the one whose page it is. Pure. */

/** contract/src/recordings.ts: the timeline has more rows, a screen has no room for more pictures. */
export const mostCameras = 9;

/** Their ids, each once, without that one's own; more than nine are too many. */
export function furtherCameras(text: string | undefined, ownId: string): string[] {
  const ids = (text ?? '').toLowerCase().split(',');
  return [...new Set(ids)].filter((id) => id !== '' && id !== ownId.toLowerCase());
}

/** What stands in the address; undefined: that camera alone. */
export const addressOf = (ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : ids.join(',');
