import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { readFile } from '#http/byte-range.ts';
import type { Prove } from '#http/prove.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Recordings } from './recordings.ts';

export function recordingEndpoints(doors: Doors, recordings: Recordings, prove: Prove): void {
  serve(doors, recordingRoutes.list, ({ scope, query }) => recordings.archive.list(scope, query));
  serve(doors, recordingRoutes.read, ({ scope, params }) =>
    recordings.archive.read(scope, params.id),
  );
  serve(doors, recordingRoutes.delete, async ({ scope, params, body, raw }) => {
    await prove(scope, body, raw);
    await recordings.deletion.delete(scope, params.id);
  });
  serve(doors, recordingRoutes.statistics, ({ scope, query }) =>
    recordings.statistics.of(scope, query.camera ?? null),
  );
  serve(doors, recordingRoutes.newest, async ({ scope, query }) => ({
    newest: await recordings.statistics.newest(scope, query.camera ?? null),
  }));
  serve(doors, recordingRoutes.test, async ({ scope, params }) => {
    const until = await recordings.policies.test(scope, params.id);
    return { ends_at: until.toISOString() };
  });
  serve(doors, recordingRoutes.segments, async ({ scope, params }) => ({
    results: await recordings.archive.segments(scope, params.id),
  }));
  serve(doors, recordingRoutes.segmentFile, async ({ scope, params, raw, reply }) => {
    return readFile(raw, reply, await recordings.archive.file(scope, params.id));
  });
  serve(doors, recordingRoutes.timeline, async ({ scope, params, query }) => {
    const [timeline] = await recordings.timelines.of(scope, [params.id], query);
    return timeline!;
  });
  serve(doors, recordingRoutes.timelines, async ({ scope, query: { cameras, ...query } }) => ({
    results: await recordings.timelines.of(scope, cameras, query),
  }));
  serve(doors, recordingRoutes.toggle, ({ scope, params, body }) =>
    recordings.policies.toggle(scope, params.id, body.is_recording),
  );
  serve(doors, recordingRoutes.settings, ({ scope, params }) =>
    recordings.policies.settings(scope, params.id),
  );
  serve(doors, recordingRoutes.forecast, ({ scope, params, body }) =>
    recordings.policies.forecast(scope, params.id, body),
  );
  serve(doors, recordingRoutes.holds, async () => ({ results: await recordings.holds.list() }));
  serve(doors, recordingRoutes.addHold, ({ scope, body }) => recordings.holds.add(scope, body));
  serve(doors, recordingRoutes.removeHold, ({ scope, params }) =>
    recordings.holds.remove(scope, params.id),
  );
  serve(doors, recordingRoutes.changeSettings, ({ scope, params, body }) =>
    recordings.policies.changeSettings(scope, params.id, body),
  );
}
