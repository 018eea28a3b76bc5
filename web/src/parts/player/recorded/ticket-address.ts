/** The same address with the ticket of that playlist. */
export function withTicketOf(url: string, playlist: string): string {
  const [, ticket] = /[?&]ticket=([^&]*)/.exec(playlist) ?? [];
  return ticket === undefined ? url : url.replace(/([?&]ticket=)[^&]*/, `$1${ticket}`);
}
