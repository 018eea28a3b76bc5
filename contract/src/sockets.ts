/** WebSocket addresses. They are no routes of the table: each is opened by what its first line says. */

/**
 * Opened by a ticket of `cameras.liveTicket` in the query (`?ticket=`), which is all a browser can send. With
 * `&stream=sub` it sends the sub-stream, or the main one as long as no sub-stream arrives; with `&stream=sound` it
 * sends the sound.
 */
export const liveSocketPath = '/secure-api/cameras/:id/live/ws/';
/** Opened by a first message `{ "access": "..." }` within five seconds. */
export const newsSocketPath = '/secure-api/news/ws/';
