/** A playlist that is here already, as hls.js asks for one. */
import type {
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderStats,
  PlaylistLoaderConstructor,
  PlaylistLoaderContext,
} from 'hls.js/light';

type Context = PlaylistLoaderContext;

/** Returns what answers each question for a playlist with this text, at once but not in the same task. */
export function givenPlaylist(text: string): PlaylistLoaderConstructor {
  return class GivenPlaylist implements Loader<Context> {
    context: Context | null = null;
    readonly stats = noStats();
    #timer: ReturnType<typeof setTimeout> | undefined;

    load(context: Context, _config: LoaderConfiguration, callbacks: LoaderCallbacks<Context>) {
      this.context = context;
      const nowMs = performance.now();
      this.stats.loading = { start: nowMs, first: nowMs, end: nowMs };
      this.stats.loaded = text.length;
      this.stats.total = text.length;
      const answer = { url: context.url, data: text, code: 200 };
      this.#timer = setTimeout(() => callbacks.onSuccess(answer, this.stats, context, null), 0);
    }

    abort(): void {
      clearTimeout(this.#timer);
    }

    destroy(): void {
      this.abort();
      this.context = null;
    }
  };
}

const noStats = (): LoaderStats => ({
  aborted: false,
  loaded: 0,
  retry: 0,
  total: 0,
  chunkCount: 0,
  bwEstimate: 0,
  loading: { start: 0, first: 0, end: 0 },
  parsing: { start: 0, end: 0 },
  buffering: { start: 0, first: 0, end: 0 },
});
