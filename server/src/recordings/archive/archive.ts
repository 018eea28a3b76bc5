/** Recordings for users who may see them: lists, and the files themselves. */
import { basename, join } from 'node:path';
import type { Recording, RecordingQuery, Segment } from '@nazar/contract/recordings.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { SentFile } from '#http/byte-range.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { piecesOf, type FolderFiles } from '#lib/folder/folder-files.ts';
import { dateAt, localDay } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import { allCells } from '#media/protocol/motion-grid.ts';
import type { ArchiveStore, ListedRecording } from './archive-store.ts';
import { shownCells } from './hidden-motion.ts';
import type { SegmentRow } from '../index/index-store.ts';
import type { Roots } from '../roots.ts';

export interface ArchiveOptions {
  readonly store: ArchiveStore;
  readonly roots: Pick<Roots, 'presentRoot' | 'filesOf'>;
  readonly activity: Pick<Activity, 'recordRead'>;
  readonly cameras: { readonly zones: Pick<Cameras['zones'], 'hiddenFrom' | 'mustSeeUnmasked'> };
  readonly clock: Clock;
}

type IndexedFile = Pick<SegmentRow, 'id' | 'root_id' | 'path'>;

/** A file that may be sent. */
export interface SegmentFile extends SentFile {
  readonly path: string;
  /** The folder that it lies in. */
  readonly files: Pick<FolderFiles, 'run'>;
  readonly cameraId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** FFmpeg's name. */
  readonly codec: string;
  /** The bytes before the first picture. */
  readonly headBytes: number;
}

/**
 * A player requests many ranges of many files: one entry an hour says who watched that camera's recordings (C-806).
 */
const playedMs = 60 * 60_000;

export class Archive {
  readonly #options: ArchiveOptions;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** Throws time_zone_unknown. */
  async list(
    scope: Scope,
    query: RecordingQuery,
  ): Promise<{ count: number; results: Recording[] }> {
    const { store, cameras, clock } = this.#options;
    const { date, timezone } = query;
    const day = date === undefined ? null : localDay(date, timezone);
    await this.#recordSearch(scope, query);
    const cells = await shownCells(cameras, scope, allCells);
    const now = new Date(clock.now());
    const { count, rows } = await store.list(scope, query, { day, now, cells });
    return { count, results: rows.map((row) => asRecording(row, timezone)) };
  }

  /** Each new person or term is one entry in the activity log, which does not say whom the search was for. */
  async #recordSearch(scope: Scope, { person, search }: RecordingQuery): Promise<void> {
    const where = 'recordings';
    const entry = {
      actor: scope,
      action: 'face.searched',
      object: null,
      details: { where },
    } as const;
    for (const term of [person, search]) {
      if (term === undefined) continue;
      await this.#options.activity.recordRead(entry, { about: `${where} ${term}` });
    }
  }

  /** Throws recording_not_found, time_zone_unknown. */
  async read(scope: Scope, id: string, timezone = 'UTC'): Promise<Recording> {
    const { store, cameras } = this.#options;
    const row = await store.read(scope, id, await shownCells(cameras, scope, allCells));
    if (!row) throw new Problem('recording_not_found');
    return asRecording(row, timezone);
  }

  /** Throws recording_not_found. */
  async segments(scope: Scope, recordingId: string): Promise<Segment[]> {
    const rows = await this.#options.store.segmentsOf(scope, recordingId);
    if (rows.length === 0) throw new Problem('recording_not_found');
    return rows.map(asSegment);
  }

  /** Whether the file is gone, although its disk is there: what can't be read is not gone. */
  async isMissing({ root_id, path }: Pick<SegmentRow, 'root_id' | 'path'>): Promise<boolean> {
    const { roots } = this.#options;
    const root = await roots.presentRoot(root_id);
    if (root === null) return false;
    return (await roots.filesOf(root).size(join(root.path, path))) === null;
  }

  /** Builds what depends on which files are gone. Only files that `build` asks about are checked. */
  async knowingMissing<T>(build: (isMissing: (segment: IndexedFile) => boolean) => T): Promise<T> {
    const known = new Map<string, boolean>();
    for (;;) {
      const asked = new Map<string, IndexedFile>();
      const built = build((segment) => {
        const isGone = known.get(segment.id);
        if (isGone === undefined) asked.set(segment.id, segment);
        return isGone ?? false;
      });
      for (const [id, segment] of asked) known.set(id, await this.isMissing(segment));
      // Where one is gone the next is asked about.
      if (![...asked.keys()].some((id) => known.get(id))) return built;
    }
  }

  /**
   * Throws recording_not_found, recording_incomplete, recording_disk_away, recording_file_missing (its disk is there),
   * camera_masked.
   */
  async file(scope: Scope, segmentId: string): Promise<SegmentFile> {
    const row = await this.#options.store.segment(scope, segmentId);
    if (!row) throw new Problem('recording_not_found');
    await this.#options.cameras.zones.mustSeeUnmasked(scope, row.camera_id);
    if (row.bytes === null || row.ended_at === null) throw new Problem('recording_incomplete');
    const root = await this.#options.roots.presentRoot(row.root_id);
    if (root === null) throw new Problem('recording_disk_away');
    const path = join(root.path, row.path);
    const files = this.#options.roots.filesOf(root);
    if ((await files.size(path)) === null) throw new Problem('recording_file_missing');
    const object = { type: 'camera', id: row.camera_id } as const;
    const entry = { actor: scope, action: 'recording.played', object } as const;
    await this.#options.activity.recordRead(entry, { withinMs: playedMs });
    const { bytes, camera_id: cameraId, started_at: startedAt, ended_at: endedAt } = row;
    const name = basename(row.path);
    const { codec, head_bytes } = row;
    const pieces = (from: number, until: number) => piecesOf(files, path, from, until);
    return {
      path,
      files,
      pieces,
      bytes,
      name,
      cameraId,
      startedAt,
      endedAt,
      codec,
      headBytes: head_bytes ?? 0,
    };
  }
}

/** Returns the form of the contract. */
function asRecording(row: ListedRecording, timezone: string): Recording {
  return {
    id: row.id,
    cameraId: row.camera_id,
    cameraName: row.camera_name,
    cameraDeleted: row.camera_deleted,
    name: row.camera_name,
    type: row.type,
    date: dateAt(row.started_at.getTime(), timezone),
    startTime: row.started_at.toISOString(),
    endTime: row.ended_at?.toISOString() ?? null,
    isActive: row.ended_at === null,
    duration: row.duration_s,
    size: Math.round(row.bytes / 1e4) / 100,
    bytes: row.bytes,
    segments: row.segments,
    hasMotion: row.has_motion,
    hasFaces: row.faces > 0,
    faceCount: row.faces,
    held: row.held,
    path: `/secure-api/recordings/${row.id}/download/`,
    thumbnail: `/secure-api/recordings/${row.id}/thumbnail/`,
  };
}

function asSegment(row: SegmentRow): Segment {
  const times = row.key_times ?? [];
  return {
    id: row.id,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    bytes: row.bytes,
    sha256: row.sha256?.toString('hex') ?? null,
    head_bytes: row.head_bytes,
    key_frames: (row.key_offsets ?? []).map((offset, at) => ({ offset, at_ms: times[at] ?? 0 })),
    mime: row.mime,
    width: row.width,
    height: row.height,
    stream_id: row.stream_id,
  };
}
