import { playbackRoutes } from '@nazar/contract/playback.ts';
import { readFile } from '#http/byte-range.ts';
import { clientGone } from '#http/client-gone.ts';
import type { ScopeOf } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Recordings } from '../recordings.ts';

export function playbackEndpoints(
  api: Api,
  {
    archive,
    playback,
    thumbnails,
    stills,
  }: Pick<Recordings, 'archive' | 'playback' | 'thumbnails' | 'stills'>,
  scopeOf: ScopeOf,
): void {
  serve(api, playbackRoutes.begin, ({ scope, params, body }) =>
    playback.begin(scope, params.id, body),
  );
  serve(api, playbackRoutes.playlist, async ({ query, raw }) =>
    Buffer.from(await playback.playlist(query.ticket, raw.ip, scopeOf, raw.headers['user-agent'])),
  );
  serve(api, playbackRoutes.segment, async ({ query, raw, reply }) => {
    const file = await playback.file(query.ticket, query.id, raw.ip, scopeOf);
    const bytes = readFile(raw, reply, file);
    api.answers?.watch(reply, file.scope, (now) => archive.file(now, query.id));
    return bytes;
  });
  serve(api, playbackRoutes.silentHead, ({ query, raw }) =>
    playback.silentHead(query, raw.ip, scopeOf),
  );
  serve(api, playbackRoutes.silentFile, ({ query, raw }) =>
    playback.silentFile(query, raw.ip, scopeOf),
  );
  serve(api, playbackRoutes.maskedHead, ({ query, raw, reply }) =>
    playback.head(query, raw.ip, scopeOf, clientGone(reply)),
  );
  serve(api, playbackRoutes.maskedPart, ({ query, raw, reply }) =>
    playback.part(query, raw.ip, scopeOf, clientGone(reply)),
  );
  serve(api, playbackRoutes.thumbnail, ({ scope, params, query }) =>
    thumbnails.at(scope, params.id, query.at === undefined ? null : new Date(query.at)),
  );
  serve(api, playbackRoutes.still, ({ scope, params, query }) =>
    stills.at(scope, params.id, query.at === undefined ? null : new Date(query.at)),
  );
  serve(api, playbackRoutes.stills, async ({ scope, params, query, reply }) => ({
    results: await stills.over(scope, params.id, query, clientGone(reply)),
  }));
  serve(api, playbackRoutes.recordingThumbnail, ({ scope, params }) =>
    thumbnails.ofRecording(scope, params.id),
  );
}
