/** How hls.js is set to read a playlist: without its worker, so much ahead, asking again as often as helps. */
import type { HlsConfig } from 'hls.js/light';
import { currentLanguage } from '#lib/i18n.ts';
import { givenPlaylist } from './given-playlist.ts';
import { withTicketOf } from './ticket-address.ts';

/** So much is read ahead and kept behind, in seconds. */
const aheadS = 30;
/** While playback is paused the reader sees one picture, and often goes on to another place. */
const aheadStandingS = 6;
const behindS = 60;

/** Twice more, then the player says what it waits for. */
const retry = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const policy = {
  default: {
    maxTimeToFirstByteMs: 30_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: { ...retry, maxNumRetry: 1 },
    errorRetry: retry,
  },
};

/** Faster playing needs more in the buffer, in seconds of what is shown. */
export const bufferS = (speed: number, isPlaying: boolean): number =>
  isPlaying ? aheadS * Math.max(1, speed / 2) : aheadStandingS;

/**
 * `playlist`: the address of the newest, whose ticket opens every file. `text`: what the first of them says; null: it
 * has to be asked for.
 */
export function hlsSettings(playlist: () => string, text: string | null): Partial<HlsConfig> {
  return {
    ...(text !== null && { pLoader: givenPlaylist(text) }),
    // The page's policy lets no script begin that is not a file of its own.
    enableWorker: false,
    // Where to begin is known when the playlist is here.
    autoStartLoad: false,
    // While the element opens: it takes as long as the first part.
    startFragPrefetch: true,
    maxBufferLength: aheadStandingS,
    backBufferLength: behindS,
    lowLatencyMode: false,
    manifestLoadPolicy: policy,
    playlistLoadPolicy: policy,
    fragLoadPolicy: policy,
    xhrSetup: (xhr, url) => {
      xhr.open('GET', withTicketOf(url, playlist()), true);
      xhr.setRequestHeader('Accept-Language', currentLanguage());
    },
  };
}
