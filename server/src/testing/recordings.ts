/** Recordings on a real database and a folder of their own; the test plays the hosts. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import type { GapCause } from '@nazar/contract/recordings.ts';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { Topic } from '#lib/topic.ts';
import { MaskingLimit, type RecordedNews } from '#media/media.ts';
import type { RecordingPlan } from '#media/protocol/messages.ts';
import { contentsOf } from '#media/mp4/segment-contents.ts';
import { tailOf } from '#media/mp4/segment-file.ts';
import { Workers } from '#media/server/workers.ts';
import { Recordings } from '#recordings/recordings.ts';
import type { Space } from '#recordings/roots.ts';
import { testFolder } from './folders.ts';
import type { MotionGrid } from '#media/protocol/motion-grid.ts';
import type { MotionSpan, SegmentHead, Still } from '#media/protocol/segments.ts';
import { aSegmentHead, segmentBytes, writeSegment } from './segments.ts';
import { aWorld, quietLog, type World } from './world.ts';

export interface RecordingWorld extends AsyncDisposable {
  readonly world: World;
  readonly admin: Scope;
  readonly cameraId: string;
  /** The root. */
  readonly folder: string;
  readonly recordings: Recordings;
  /** The plans that hosts were given last. */
  readonly plans: ReadonlyMap<string, RecordingPlan | null>;
  tell(news: RecordedNews['news']): void;
  /** The test sets the size of its disk; null: as it is. */
  disk: Space | null;
  /** A host begins a segment: its file, with those bytes. */
  opens(startedAtMs: number, more?: Partial<SegmentHead>): Opened;
  /** Starts another server over the same disk and database. */
  restart(): Promise<Recordings>;
}

export interface Opened {
  readonly head: SegmentHead;
  readonly path: string;
  /** The host completes it. */
  closes(endedAtMs?: number, motion?: readonly MotionSpan[] | null, more?: ClosesWith): void;
}

/** What else is known of the segment. */
export interface ClosesWith {
  readonly still?: Still;
  /** Where something moved, beside `motion`. */
  readonly grid?: MotionGrid;
}

/** `asked`: stands between callers and the workers; `disks`: how many folders there are to record to. */
export async function recordingWorld(
  asked: (workers: Workers) => Pick<Workers, 'ask'> = (workers) => workers,
  disks = 1,
): Promise<RecordingWorld> {
  await using stack = new AsyncDisposableStack();
  const folders = Array.from({ length: disks }, () =>
    mkdtempSync(join(tmpdir(), 'nazar-recordings-')),
  );
  for (const path of folders) stack.defer(() => rmSync(path, { recursive: true, force: true }));
  const [folder = ''] = folders;
  const world = stack.use(await aWorld());
  const admin = await world.actor('admin');
  const cameraId = await world.camera(admin, { status: 'active', url: 'rtsp://192.168.0.9/a' });
  // Tests say themselves what it is recorded for.
  await sql`insert into recording_settings (camera_id, motion, updated_at) values (${cameraId}, false, now())`.execute(
    world.database.db.write(),
  );
  const workers = asked(stack.use(new Workers({ clock: systemClock, log: quietLog })));
  const recorded = new Topic<RecordedNews>((error) => {
    throw error;
  });
  const plans = new Map<string, RecordingPlan | null>();
  const its: { disk: Space | null } = { disk: null };
  const open = async (): Promise<Recordings> => {
    const { activity, cameras, clock, database } = world;
    const recordings = await Recordings.open({
      db: database.db,
      activity,
      cameras,
      workers,
      maskingLimit: new MaskingLimit(clock),
      key: world.master.derive('recordings'),
      folders: folders.map((path) => ({ path, isOwn: false })),
      clock,
      log: quietLog,
      openFolder: testFolder,
      sized: (space) => its.disk ?? space,
    });
    await recordings.follow({ recorded, record: (id, plan) => void plans.set(id, plan) });
    return recordings;
  };
  let recordings = await open();
  stack.defer(() => recordings[Symbol.asyncDispose]());
  const tell = (news: RecordedNews['news']): void => recorded.publish({ cameraId, news });
  const built = stack.move();
  return {
    get disk() {
      return its.disk;
    },
    set disk(space) {
      its.disk = space;
    },
    world,
    admin,
    cameraId,
    folder,
    get recordings() {
      return recordings;
    },
    plans,
    tell,
    opens: (startedAtMs, more = {}) => {
      const head = { ...aSegmentHead(cameraId, startedAtMs), ...more };
      const bytes = segmentBytes(head);
      const path = writeSegment(join(folder, cameraId), head, bytes);
      tell({ kind: 'opened', segment: { ...head, file: path } });
      return {
        head,
        path,
        closes: (endedAtMs, motion = null, { still = null, grid = null } = {}) => {
          const tail = tailOf({ motion, grid, still }) ?? Buffer.alloc(0);
          appendFileSync(path, tail);
          tell(closing(head, Buffer.concat([bytes, tail]), endedAtMs));
        },
      };
    },
    restart: async () => {
      await recordings[Symbol.asyncDispose]();
      recordings = await open();
      return recordings;
    },
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

function closing(
  head: SegmentHead,
  bytes: Buffer,
  endedAtMs: number | undefined,
): RecordedNews['news'] {
  const { headBytes, keyFrames, pictures, durationMs, motion, grid, still } = contentsOf(bytes)!;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const written = { headBytes, bytes: bytes.length, keyFrames, pictures, sha256 };
  const end = endedAtMs ?? head.startedAtMs + durationMs;
  return {
    kind: 'closed',
    segment: { id: head.id, endedAtMs: end, motion, grid, still, ...written },
  };
}

export const interrupted = (startedAtMs: number, cause: GapCause): RecordedNews['news'] => ({
  kind: 'interrupted',
  startedAtMs,
  cause,
});
