/** What a timeline asks of the server, and what it finds in the answers. */
import { recordingRoutes, type CameraTimeline } from '@nazar/contract/recordings.ts';
import { expect, test } from 'vitest';
import { answer, type Seen } from '#testing/server.ts';
import { readRows, rowOf } from './timeline-data.ts';
import { seekBeside } from './seek-beside.ts';
import { beginningBeside, whatIsAt } from './what-is-there.ts';

const cameraId = '22222222-2222-4222-8222-222222222222';
const otherId = '33333333-3333-4333-8333-333333333333';
const dayMs = 86_400_000;
const atMs = Date.UTC(2026, 0, 14, 12);
const iso = (ms: number): string => new Date(ms).toISOString();
const from = (startMs: number, lastsMs: number) => ({
  started_at: iso(startMs),
  ended_at: iso(startMs + lastsMs),
});

const aTimeline = (over: Partial<CameraTimeline> = {}): CameraTimeline => ({
  camera_id: cameraId,
  spans: [],
  gaps: [],
  motion: [],
  faces: [],
  ...over,
});
const leyla = { is_known: true, person_id: null, person_name: 'Leyla', visits: 1 };

const signal = new AbortController().signal;

test('several cameras are asked for at once and come in the order that was asked for', async () => {
  const seen = answer(recordingRoutes.timelines, {
    results: [aTimeline({ camera_id: otherId }), aTimeline()],
  });
  const window = { fromMs: atMs, untilMs: atMs + dayMs, resolutionMs: 4096 };
  const rows = await readRows([cameraId, otherId], window, signal);
  expect(rows.map((row) => row.cameraId)).toEqual([cameraId, otherId]);
  expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
    cameras: `${cameraId},${otherId}`,
    from: iso(atMs),
    until: iso(atMs + dayMs),
    resolution_ms: '4096',
  });
});

test('at a moment it says what is recorded, why not, what moves and who is seen', () => {
  const row = rowOf(
    aTimeline({
      spans: [{ type: 'motion', ...from(atMs, 60_000) }],
      gaps: [{ cause: 'network', started_at: iso(atMs + 60_000), ended_at: null }],
      motion: [from(atMs + 10_000, 5000)],
      faces: [{ ...leyla, ...from(atMs + 12_000, 100) }],
    }),
  );
  expect(whatIsAt(row, atMs - 1)).toMatchObject({ span: null, gap: null, moves: false });
  const seen = whatIsAt(row, atMs + 12_000);
  expect(seen).toMatchObject({ span: { type: 'motion' }, gap: null, moves: true });
  expect(seen.visits.map(({ name }) => name)).toEqual(['Leyla']);
  expect(whatIsAt(row, atMs + 12_500).visits).toEqual([]);
  expect(whatIsAt(row, atMs + 12_500, 1000).visits).toHaveLength(1);
  expect(whatIsAt(row, atMs + dayMs)).toMatchObject({ span: null, gap: { cause: 'network' } });
});

test('the next beginning is another one than that which is shown, also back from just after it', () => {
  const starts = [atMs - 60_000, atMs, atMs + 60_000];
  const rows = [rowOf(aTimeline({ motion: starts.map((at) => from(at, 1000)) }))];
  expect(beginningBeside(rows, 'motion', atMs, 1)).toBe(atMs + 60_000);
  expect(beginningBeside(rows, 'motion', atMs + 1000, -1)).toBe(atMs - 60_000);
  expect(beginningBeside(rows, 'motion', atMs + 30_000, -1)).toBe(atMs);
  expect(beginningBeside(rows, 'motion', atMs + 60_000, 1)).toBeNull();
  expect(beginningBeside(rows, 'people', atMs, 1)).toBeNull();
});

test('a person who is not in sight is searched for further and further, and no further than now', async () => {
  const seenMs = atMs - 20 * dayMs;
  const seen: Seen[] = answer(recordingRoutes.timeline, ({ url }) => {
    const holds = Date.parse(url.searchParams.get('from') ?? '') <= seenMs;
    return aTimeline({ faces: holds ? [{ ...leyla, ...from(seenMs, 1000) }] : [] });
  });
  const beside = { cameraIds: [cameraId], sought: 'people', atMs, nowMs: atMs + 1000 } as const;
  expect(await seekBeside({ ...beside, direction: -1 }, signal)).toBe(seenMs);
  const asked = seen.length;
  expect(await seekBeside({ ...beside, direction: 1 }, signal)).toBeNull();
  expect(seen).toHaveLength(asked + 1);
});

test('a visit far away is found to the second, by answers that no busy year makes long', async () => {
  const far = [40, 39, 38].map((days) => atMs - days * dayMs);
  const seen: Seen[] = answer(recordingRoutes.timeline, ({ url }) => {
    const [first, last] = ['from', 'until'].map((name) =>
      Date.parse(url.searchParams.get(name) ?? ''),
    );
    const resolution = Number(url.searchParams.get('resolution_ms'));
    const inside = far.filter((at) => at >= first! && at < last!);
    // As the server does: what lies closer together than the resolution is one.
    const faces = resolution > 60_000 ? inside.slice(0, 1) : inside;
    const untilMs = Math.max(...inside) + 1000;
    return aTimeline({
      faces: faces.map((at) => ({
        ...leyla,
        ...from(at, resolution > 60_000 ? untilMs - at : 1000),
      })),
    });
  });
  const beside = { cameraIds: [cameraId], sought: 'people', atMs, nowMs: atMs } as const;
  expect(await seekBeside({ ...beside, direction: -1 }, signal)).toBe(far[2]);
  const most = seen.map(({ url }) => {
    const [first, last] = ['from', 'until'].map((name) =>
      Date.parse(url.searchParams.get(name) ?? ''),
    );
    return (last! - first!) / Number(url.searchParams.get('resolution_ms'));
  });
  // No more spans than seconds of a day, of which each is one at most.
  expect(Math.max(...most)).toBeLessThanOrEqual(86_401);
  expect(most.filter((count) => count > 2000)).toHaveLength(2);
  // Nothing is asked twice: the year begins where the month ended.
  expect(Date.parse(seen[1]?.url.searchParams.get('until') ?? '')).toBe(atMs - dayMs);
});
