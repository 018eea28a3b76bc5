/**
 * Exports that users ask for, wait for, and download; the runner makes them. A user who may not see behind the
 * camera's privacy masks gets them burnt in.
 */
import type {
  DownloadTicket,
  ExportEstimate,
  ExportFields,
  ExportQuery,
  RecordingExport,
} from '@nazar/contract/exports.ts';
import type { Activity } from '#activity/activity.ts';
import { neverTurned, type CameraMasks, type Cameras } from '#cameras/cameras.ts';
import { fileNamePart } from '#http/attachment.ts';
import type { SentFile } from '#http/byte-range.ts';
import { isForgotten } from '../placed-masks.ts';
import { askerOf, type Scope, type ScopeOf } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { piecesOf } from '#lib/folder/folder-files.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import type { PlaybackStore } from '../playback/playback-store.ts';
import { PlaybackTickets } from '../playback/tickets.ts';
import type { Roots } from '../roots.ts';
import {
  maxAheadMs,
  type ExportStore,
  type ListedExport,
  type NamedExport,
  type NewExport,
} from './export-store.ts';
import { fileOf, partOf, type ExportMaker } from './export-maker.ts';
import type { ExportRunner } from './runner.ts';

export interface ExportsOptions {
  readonly store: ExportStore;
  readonly segments: Pick<PlaybackStore, 'amount'>;
  readonly runner: ExportRunner;
  readonly maker: Pick<ExportMaker, 'discard'>;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly seen: Pick<ArchiveStore, 'find'>;
  readonly roots: Pick<Roots, 'presentRoot' | 'rootOf' | 'filesOf'>;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: { readonly zones: Pick<Cameras['zones'], 'maySeeUnmasked' | 'masksOf'> };
  readonly clock: Clock;
}

/** An export that may be sent. */
export interface ExportFile extends SentFile {
  readonly id: string;
  readonly path: string;
}

/** Longer than an hour of recording takes; the caller waits with an open request. */
const downloadMs = 5 * 60_000;

export class Exports {
  readonly #options: ExportsOptions;
  readonly #tickets: PlaybackTickets<string>;

  constructor(options: ExportsOptions) {
    this.#options = options;
    this.#tickets = new PlaybackTickets(options.clock);
  }

  /** Adds one export for each camera. Throws camera_not_found, forbidden, period_not_over. */
  async add(scope: Scope, fields: ExportFields): Promise<RecordingExport[]> {
    this.#mustBeOver(fields);
    return this.#add(scope, fields);
  }

  async #add(scope: Scope, { cameras, from, until }: ExportFields): Promise<RecordingExport[]> {
    const { store, runner, activity, clock } = this.#options;
    const ids = [...new Set(cameras)];
    const masked = new Map<string, boolean>();
    for (const id of ids) masked.set(id, await this.#seesMasked(scope, id));
    const nowMs = clock.now();
    const rows = ids.map((camera_id): NewExport => ({
      id: uuidv7(nowMs),
      camera_id,
      is_masked: masked.get(camera_id) ?? true,
      created_by: scope.userId,
      created_at: new Date(nowMs),
      from_at: new Date(from),
      until_at: new Date(until),
    }));
    await store.transaction(async (tx) => {
      for (const row of rows) {
        await store.add(tx, row);
        // The activity log has the export before its first byte leaves.
        const object = { type: 'camera', id: row.camera_id } as const;
        const details = { from, until, export: row.id };
        await activity.record(tx, { actor: scope, action: 'recording.exported', object, details });
      }
    });
    runner.wake();
    return Promise.all(rows.map(({ id }) => this.read(scope, id)));
  }

  async list(scope: Scope, query: ExportQuery) {
    const { count, rows } = await this.#options.store.list(scope, query);
    return { count, results: await Promise.all(rows.map((row) => this.#asExport(row))) };
  }

  /** What `add` would make of what is recorded now. Throws as `add` does. */
  async estimate(scope: Scope, fields: ExportFields): Promise<ExportEstimate[]> {
    this.#mustBeOver(fields);
    const { cameras, from, until } = fields;
    const results: ExportEstimate[] = [];
    for (const camera_id of new Set(cameras)) {
      const isMasked = await this.#seesMasked(scope, camera_id);
      const [begin, end] = [new Date(from), new Date(until)];
      const { seconds, bytes } = await this.#options.segments.amount(camera_id, begin, end);
      results.push({ camera_id, seconds, bytes: isMasked ? null : bytes });
    }
    return results;
  }

  /** Throws export_not_found. */
  async read(scope: Scope, id: string): Promise<RecordingExport> {
    return this.#asExport(await this.#find(scope, id));
  }

  /** Cancels one that is being made. Throws export_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    await this.#find(scope, id);
    const { store, maker } = this.#options;
    const removed = await store.remove(id);
    if (removed) await maker.discard(removed);
  }

  /** Throws export_not_found, export_not_ready, forbidden, camera_masked, recording_disk_away. */
  async file(scope: Scope, id: string): Promise<ExportFile> {
    const row = await this.#find(scope, id);
    const masked = await this.#seesMasked(scope, row.camera_id);
    if (masked && !(await this.#hidesEnough(row))) throw new Problem('camera_masked');
    if (row.bytes === null || row.root_id === null) throw new Problem('export_not_ready');
    const root = await this.#options.roots.presentRoot(row.root_id);
    if (root === null) throw new Problem('recording_disk_away');
    const path = fileOf(root.path, id);
    const files = this.#options.roots.filesOf(root);
    if ((await files.size(path)) === null) throw new Problem('export_not_found');
    const pieces = (from: number, until: number) => piecesOf(files, path, from, until);
    return { id, path, pieces, bytes: row.bytes, name: nameOf(row) };
  }

  /** Throws as `file` does. */
  async ticket(scope: Scope, id: string): Promise<DownloadTicket> {
    await this.file(scope, id);
    const { ticket, expiresAtMs } = this.#tickets.issue(id, askerOf(scope));
    return {
      ticket,
      expires_at: new Date(expiresAtMs).toISOString(),
      address: `/secure-api/recordings/exports/download/?ticket=${ticket}`,
    };
  }

  /** Returns on whose behalf, too. Throws playback_ended, and as `file` does. */
  async byTicket(
    ticket: string,
    ip: string,
    scopeOf: ScopeOf,
  ): Promise<ExportFile & { readonly scope: Scope }> {
    // A download that is resumed asks for ranges, more often than five times.
    const spoken = this.#tickets.open(ticket) ?? this.#tickets.use(ticket);
    const scope = spoken && (await scopeOf(spoken.asker, ip));
    if (!scope) throw new Problem('playback_ended');
    return { ...(await this.file(scope, spoken.subject)), scope: { ...scope, ip } };
  }

  /**
   * Returns a recording as one export: the user's own that exists or is being made, else a new one. Throws
   * recording_not_found, recording_goes_on, forbidden.
   */
  async forRecording(scope: Scope, recordingId: string): Promise<RecordingExport> {
    const recording = await this.#options.seen.find(scope, recordingId);
    if (!recording) throw new Problem('recording_not_found');
    if (recording.ended_at === null) throw new Problem('recording_goes_on');
    const { camera_id, started_at: from_at, ended_at } = recording;
    // For a single picture both may be the same.
    const until_at = new Date(Math.max(ended_at.getTime(), from_at.getTime() + 1));
    const is_masked = await this.#seesMasked(scope, camera_id);
    const known = await this.#known(scope, { camera_id, from_at, until_at, is_masked });
    if (known) return this.#asExport(known);
    const times = { from: from_at.toISOString(), until: until_at.toISOString() };
    const [added] = await this.#add(scope, { cameras: [camera_id], ...times });
    return added!;
  }

  /** The same, once it is made. Throws export_failed, and as `forRecording` and `file` do. */
  async ofRecording(scope: Scope, recordingId: string): Promise<ExportFile> {
    const { runner, clock } = this.#options;
    const { id } = await this.forRecording(scope, recordingId);
    const done = runner.finished(id);
    const isWaiting = ['waiting', 'running'].includes((await this.#find(scope, id)).status);
    const over = new AbortController();
    if (isWaiting) await Promise.race([done, clock.wait(downloadMs, over.signal)]);
    over.abort();
    if ((await this.#find(scope, id)).fault !== null) throw new Problem('export_failed');
    return this.file(scope, id);
  }

  /** What is not recorded yet would be missing from an export that says it is done. */
  #mustBeOver({ until }: Pick<ExportFields, 'until'>): void {
    if (Date.parse(until) <= this.#options.clock.now() + maxAheadMs) return;
    throw new Problem('period_not_over', { field: 'until' });
  }

  /** Returns the user's own export of exactly that, if its file still exists. */
  async #known(
    scope: Scope,
    asked: Parameters<ExportStore['same']>[1],
  ): Promise<NamedExport | null> {
    for (const row of await this.#options.store.same(scope, asked)) {
      if (!asked.is_masked || (await this.#hidesEnough(row))) return row;
    }
    return null;
  }

  /** Whether exports of this user have masks burnt in. Throws camera_not_found, forbidden. */
  async #seesMasked(scope: Scope, cameraId: string): Promise<boolean> {
    const { cameras, playable } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    return !(await cameras.zones.maySeeUnmasked(scope, cameraId));
  }

  /** Whether an export hides what is hidden now; one that is not made yet will. */
  async #hidesEnough({ camera_id, is_masked, masks, status }: ListedExport): Promise<boolean> {
    if (!is_masked) return false;
    if (status !== 'done') return true;
    const now = await this.#options.cameras.zones.masksOf(camera_id);
    const { polygons, rotation } = now;
    if (polygons.length > 0 && !isPlacedAlike(masks, now)) return false;
    const burntIn = new Set(masks?.polygons.map((polygon) => JSON.stringify(polygon)));
    const isDrawnAlike = masks?.rotation === rotation && isTurnedAlike(masks, now);
    if (polygons.length > 0 && !isDrawnAlike) return false;
    return polygons.every((polygon) => burntIn.has(JSON.stringify(polygon)));
  }

  async #find(scope: Scope, id: string): Promise<NamedExport> {
    const row = await this.#options.store.find(scope, id);
    if (!row) throw new Problem('export_not_found');
    return row;
  }

  async #asExport(row: NamedExport): Promise<RecordingExport> {
    return {
      id: row.id,
      camera_id: row.camera_id,
      camera_name: row.camera_name,
      file_name: nameOf(row),
      from: row.from_at.toISOString(),
      until: row.until_at.toISOString(),
      created_by: { id: row.created_by, name: row.created_by_name },
      created_at: row.created_at.toISOString(),
      status: row.status,
      progress: await this.#progressOf(row),
      fault: row.fault,
      bytes: row.bytes,
      sha256: row.sha256?.toString('hex') ?? null,
      seconds: row.seconds,
      encoded_seconds: row.encoded_seconds,
      left_out_seconds: row.left_out_seconds,
      expires_at: row.expires_at?.toISOString() ?? null,
      masked: row.is_masked,
    };
  }

  /** The share of the sources' bytes that is on the disk. */
  async #progressOf({ id, status, root_id, expected_bytes }: ListedExport): Promise<number> {
    if (status === 'done') return 1;
    const { roots } = this.#options;
    const root = status === 'running' && root_id !== null ? roots.rootOf(root_id) : null;
    if (root === null || !expected_bytes) return 0;
    // A list is shown although a disk hangs.
    const size = roots.filesOf(root).size(partOf(root.path, id));
    const written = (await size.catch(() => null)) ?? 0;
    return Math.min(0.99, written / expected_bytes);
  }
}

/** Whether masks were burnt in wherever they may be by all that is known now of what was recorded. */
function isPlacedAlike(burnt: ListedExport['masks'], now: CameraMasks): boolean {
  // One from before alignments has them where they are on the main picture.
  if (!burnt || !('alignments' in burnt)) return !now.hadSubStream;
  const pairs = new Set(burnt.alignments.map(({ pair }) => pair));
  const places = new Set(burnt.alignments.map((alignment) => JSON.stringify(alignment)));
  const known = now.alignments.filter(({ pair }) => pairs.has(pair));
  if (isForgotten(known)) return false;
  return known.every(({ part, pair }) => !part || places.has(JSON.stringify({ pair, part })));
}

/** Whether masks were burnt in wherever they may be by all that is known of how the camera was turned. */
function isTurnedAlike(burnt: NonNullable<ListedExport['masks']>, now: CameraMasks): boolean {
  const turned = 'turned' in burnt ? burnt.turned : neverTurned;
  return turned.untilMs === now.turned.untilMs && turned.by.join() === now.turned.by.join();
}

/** `Gate-20260115T120000Z.mp4`: the camera in its own letters, and when the export begins. */
function nameOf({ camera_name, from_at }: ListedExport): string {
  const camera = fileNamePart(camera_name) || 'camera';
  const stamp = from_at.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${camera}-${stamp}.mp4`;
}
