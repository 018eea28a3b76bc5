import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { readFile } from '#http/byte-range.ts';
import type { Prove } from '#http/prove.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Recordings } from './recordings.ts';

export function recordingEndpoints(api: Api, recordings: Recordings, prove: Prove): void {
  serve(api, recordingRoutes.list, ({ scope, query }) => recordings.archive.list(scope, query));
  serve(api, recordingRoutes.read, ({ scope, params, query }) =>
    recordings.archive.read(scope, params.id, query.timezone),
  );
  serve(api, recordingRoutes.delete, async ({ scope, params, body, raw }) => {
    await prove(scope, body, raw);
    await recordings.deletion.delete(scope, params.id);
  });
  serve(api, recordingRoutes.statistics, ({ scope, query }) =>
    recordings.statistics.of(scope, query.camera ?? null),
  );
  serve(api, recordingRoutes.newest, async ({ scope, query }) => ({
    newest: await recordings.statistics.newest(scope, query.camera ?? null, query.timezone),
  }));
  serve(api, recordingRoutes.days, async ({ scope, params, query }) => ({
    results: await recordings.days.of(scope, params.id, query),
  }));
  serve(api, recordingRoutes.deletedCameras, async ({ scope }) => ({
    results: await recordings.deletedCameras.list(scope),
  }));
  serve(api, recordingRoutes.test, async ({ scope, params }) => {
    const until = await recordings.policies.test(scope, params.id);
    return { ends_at: until.toISOString() };
  });
  serve(api, recordingRoutes.segments, async ({ scope, params }) => ({
    results: await recordings.archive.segments(scope, params.id),
  }));
  serve(api, recordingRoutes.segmentFile, async ({ scope, params, raw, reply }) => {
    const file = readFile(raw, reply, await recordings.archive.file(scope, params.id));
    api.answers?.watch(reply, scope, (now) => recordings.archive.file(now, params.id));
    return file;
  });
  serve(api, recordingRoutes.timeline, async ({ scope, params, query }) => {
    const [timeline] = await recordings.timelines.of(scope, [params.id], query);
    return timeline!;
  });
  serve(api, recordingRoutes.timelines, async ({ scope, query: { cameras, ...query } }) => ({
    results: await recordings.timelines.of(scope, cameras, query),
  }));
  serve(api, recordingRoutes.motionSearch, ({ scope, params, query }) =>
    recordings.motionSearch.of(scope, params.id, query),
  );
  serve(api, recordingRoutes.toggle, ({ scope, params, body }) =>
    recordings.policies.toggle(scope, params.id, body.is_recording),
  );
  serve(api, recordingRoutes.settings, ({ scope, params }) =>
    recordings.policies.settings(scope, params.id),
  );
  serve(api, recordingRoutes.forecast, ({ scope, params, body }) =>
    recordings.policies.forecast(scope, params.id, body),
  );
  serve(api, recordingRoutes.holds, ({ query }) => recordings.holds.list(query));
  serve(api, recordingRoutes.addHold, ({ scope, body }) => recordings.holds.add(scope, body));
  serve(api, recordingRoutes.removeHold, ({ scope, params }) =>
    recordings.holds.remove(scope, params.id),
  );
  serve(api, recordingRoutes.changeSettings, ({ scope, params, body }) =>
    recordings.policies.changeSettings(scope, params.id, body),
  );
}
