/** WebSocket addresses. They are no routes of the table: each is opened by what its first line says. */

/**
 * Opened by a ticket of `cameras.liveTicket` in the query (`?ticket=`), which is all a browser can send. With
 * `&stream=sub` the sub-stream is shown, and the main one as long as there is none that comes; with `&stream=sound`
 * the sound is heard.
 */
export const liveSocketPath = '/secure-api/cameras/:id/live/ws/';
/** Opened by a first message `{ "access": "..." }` within five seconds. */
export const newsSocketPath = '/secure-api/news/ws/';
