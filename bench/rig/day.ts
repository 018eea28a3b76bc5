/**
 * A recorded day, without waiting for it: two minutes of noise at 3 Mbit/s by the product's own recorder, and links
 * to their files for the rest. Each two minutes are a stream of their own, as from a camera that reconnects.
 */
import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { uuidv7 } from '../../server/src/lib/ids.ts';
import { readSegment, type SegmentContents } from '../../server/src/media/mp4/segment-contents.ts';
import { segmentPath } from '../../server/src/media/mp4/segment-file.ts';
import { recordFilms } from '../../server/src/testing/recorded-films.ts';

const streamSeconds = 120;

interface Recorded {
  readonly file: string;
  readonly contents: SegmentContents;
}

/** Records into that root; `startMs` is the beginning of the first file. */
export async function recordDay(
  db: Database,
  root: string,
  cameraId: string,
  startMs: number,
  seconds: number,
): Promise<void> {
  const fps = 30;
  const shape = { width: 1280, height: 720, fps, pictures: streamSeconds * fps, gop: fps };
  const folder = join(root, cameraId);
  const film = { codec: 'h264', bFrames: 0, shape, bitsPerSecond: 3_000_000 } as const;
  const original = join(root, 'original');
  // Another camera of the same time is recorded by the same files.
  if (!existsSync(original)) await recordFilms(original, cameraId, startMs, [film]);
  const originals: Recorded[] = [];
  for (const name of filesIn(original)) {
    const file = join(original, name);
    originals.push({ file, contents: (await readSegment(file))! });
  }
  const rows: object[] = [];
  const recordingIds = new Map<number, string>();
  for (let from = 0; from < seconds; from += streamSeconds) {
    const stream = uuidv7(startMs + from);
    for (const { file, contents } of originals) {
      const startedAtMs = contents.head.startedAtMs + from * 1_000;
      const id = uuidv7(startedAtMs);
      const path = segmentPath({ id, startedAtMs });
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      linkSync(file, join(folder, path));
      const hour = Math.floor(startedAtMs / 3_600_000);
      const recording = recordingIds.get(hour) ?? uuidv7(startedAtMs);
      recordingIds.set(hour, recording);
      rows.push(
        rowOf({ id, recording, stream, path: `${cameraId}/${path}`, startedAtMs }, contents),
      );
    }
  }
  await sql`
    insert into recording (id, camera_id, type, started_at)
    select id, ${cameraId}, 'continuous', to_timestamp(hour * 3600)
      from unnest(${[...recordingIds.values()]}::uuid[], ${[...recordingIds.keys()]}::int[]) as one (id, hour)`.execute(
    db.write(),
  );
  await sql`
    insert into recording_segment
      (id, camera_id, recording_id, root_id, path, started_at, ended_at, bytes, head_bytes, pictures, key_offsets,
       key_times, sha256, codec, mime, width, height, stream_id)
    select id, ${cameraId}, recording, (select id from recording_root limit 1), path, started_at, ended_at, bytes,
           head_bytes, pictures, key_offsets, key_times, decode(sha256, 'hex'), 'h264', mime, 1280, 720, stream
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (
        id uuid, recording uuid, stream uuid, path text, started_at timestamptz, ended_at timestamptz, bytes bigint,
        head_bytes int, pictures int, key_offsets int[], key_times int[], sha256 text, mime text)`.execute(
    db.write(),
  );
}

function rowOf(
  made: { id: string; recording: string; stream: string; path: string; startedAtMs: number },
  { bytes, headBytes, pictures, keyFrames, durationMs, sha256, head }: SegmentContents,
): object {
  return {
    ...made,
    started_at: new Date(made.startedAtMs).toISOString(),
    ended_at: new Date(made.startedAtMs + durationMs).toISOString(),
    bytes,
    head_bytes: headBytes,
    pictures,
    key_offsets: keyFrames.map(({ offset }) => offset),
    key_times: keyFrames.map(({ atMs }) => atMs),
    sha256,
    mime: head.mime,
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted();
