/** Makes one export: finds its sources and the room for it, has a worker copy it, and adds its proof. */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { ExportFault } from '@nazar/contract/exports.ts';
import type { CameraMasks, Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import {
  type EncodedSpan,
  type ExportAnswer,
  type MediaWorkers,
  type SourceFile,
} from '#media/media.ts';
import { noMasks, recordedPlaces } from '../placed-masks.ts';
import type { PlaybackStore, PlayedSegment } from '../playback/playback-store.ts';
import {
  exportsFolder,
  floorBytes,
  isPresent,
  spaceOf,
  type RootRow,
  type Roots,
  type Space,
} from '../roots.ts';
import type { Gap, TimelineStore } from '../archive/timeline-store.ts';
import type { ExportRow, ExportStore, ListedExport } from './export-store.ts';
import { proofBox, publicKeyText, type Manifest } from './proof.ts';

export interface ExportMakerOptions {
  readonly store: Pick<ExportStore, 'update' | 'known'>;
  readonly segments: Pick<PlaybackStore, 'segments'>;
  readonly timeline: Pick<TimelineStore, 'gaps'>;
  readonly roots: Pick<Roots, 'named' | 'pathOf' | 'all'>;
  readonly workers: MediaWorkers;
  readonly zones: Pick<Cameras['zones'], 'masksOf'>;
  readonly keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly clock: Clock;
  /** Tests set the sizes of disks. */
  readonly space?: (root: RootRow) => Space | null;
}

type ExportSources = Extract<ExportAnswer, { fault: null }>;

/** What is known of an export once it is made. */
export type ExportResult = {
  readonly [
    Key in 'root_id' | 'bytes' | 'sha256' | 'seconds' | 'encoded_seconds' | 'left_out_seconds'
  ]: NonNullable<ExportRow[Key]>;
} & Pick<ExportRow, 'masks'>;

/** A day of a camera is 32 GB. */
const exportTimeoutMs = 60 * 60_000;
/** Encoding took a fifth of the recorded time at 1280x720, more than that time on a busy machine. */
const maskedTimeoutMs = 24 * 60 * 60_000;

/** The export cannot be made, however often it is tried. */
export class NoExport extends Error {
  override readonly name = 'NoExport';
  readonly fault: ExportFault;

  constructor(fault: ExportFault) {
    super(fault);
    this.fault = fault;
  }
}

export class ExportMaker {
  readonly #options: ExportMakerOptions;
  /** The file that is being written. */
  #target: string | null = null;

  constructor(options: ExportMakerOptions) {
    this.#options = options;
  }

  /** Null: the export was cancelled. Throws NoExport, WorkerLost. */
  async make(job: ListedExport): Promise<ExportResult | null> {
    const { store, segments: played, zones } = this.#options;
    const segments = await played.segments(job.camera_id, job.from_at, job.until_at);
    if (segments.length === 0) throw new NoExport('nothing_recorded');
    const expected = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    const masks = job.is_masked ? await zones.masksOf(job.camera_id) : null;
    // An export with masks takes its space twice for a while.
    const root = this.#rootFor(masks ? 2 * expected : expected);
    await mkdir(join(root.path, exportsFolder), { recursive: true, mode: 0o700 });
    const target = partOf(root.path, job.id);
    await rm(target, { force: true });
    const isWanted = await store.update(job.id, { root_id: root.id, expected_bytes: expected });
    if (!isWanted) return null;
    this.#target = target;
    try {
      return await this.#write(job, root, segments, masks);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }

  async #write(
    job: ListedExport,
    root: RootRow,
    segments: readonly PlayedSegment[],
    masks: CameraMasks | null,
  ): Promise<ExportResult | null> {
    const { head: written } = await this.#options.workers.ask<ExportAnswer>(
      {
        kind: 'film',
        target: partOf(root.path, job.id),
        fromMs: job.from_at.getTime(),
        untilMs: job.until_at.getTime(),
        masks: masks && { polygons: masks.polygons, rotation: masks.rotation },
      },
      masks ? maskedTimeoutMs : exportTimeoutMs,
      {
        body: Buffer.from(
          JSON.stringify(segments.map((segment) => this.#sourceOf(segment, masks))),
        ),
        account: job.created_by,
      },
    );
    if (written.fault === 'cancelled') return null;
    if (written.fault !== null) throw new NoExport(written.fault);
    const result = await this.#prove(job, root, written, segments);
    return result && { ...result, masks };
  }

  /** Appends the proof, writes the file to the disk for good, and gives it its name. */
  async #prove(
    job: ListedExport,
    root: RootRow,
    written: ExportSources,
    segments: readonly PlayedSegment[],
  ): Promise<Omit<ExportResult, 'masks'> | null> {
    const { workers, keys } = this.#options;
    const manifest = await this.#manifestOf(job, written, segments);
    const proof = proofBox(manifest, keys.privateKey);
    const part = partOf(root.path, job.id);
    if (!existsSync(part)) return null;
    await appendFile(part, proof);
    await syncFile(part);
    const { head } = await workers.ask<{ sha256: string }>(
      { kind: 'hash', file: part },
      exportTimeoutMs,
      { account: job.created_by },
    );
    await rename(part, fileOf(root.path, job.id));
    syncFolder(join(root.path, exportsFolder));
    const sha256 = Buffer.from(head.sha256, 'hex');
    return {
      root_id: root.id,
      bytes: written.bytes + proof.length,
      sha256,
      seconds: written.seconds,
      encoded_seconds: secondsOf(written.encoded),
      left_out_seconds: secondsOf(written.leftOut),
    };
  }

  async #manifestOf(
    job: ListedExport,
    written: ExportSources,
    segments: readonly PlayedSegment[],
  ): Promise<Manifest> {
    const { timeline, keys, clock } = this.#options;
    const period = { from: job.from_at, until: job.until_at, resolutionMs: 0 };
    const gaps = await timeline.gaps([job.camera_id], period);
    return {
      version: 1,
      export: job.id,
      camera: { id: job.camera_id, name: job.camera_name },
      from: job.from_at.toISOString(),
      until: job.until_at.toISOString(),
      exported_at: new Date(clock.now()).toISOString(),
      exported_by: job.created_by,
      bytes: written.bytes,
      sha256: written.sha256,
      pieces: written.pieces.map(({ fromMs, untilMs, atSeconds }) => ({
        from: new Date(fromMs).toISOString(),
        until: new Date(untilMs).toISOString(),
        at_seconds: Math.round(atSeconds * 1_000) / 1_000,
      })),
      gaps: gaps.map((gap) => within(gap, job)),
      masked: job.is_masked,
      encoded: written.encoded.map(asSpan),
      left_out: written.leftOut.map(asSpan),
      sources: segments.map(({ id, started_at, ended_at, sha256 }) => ({
        id,
        from: started_at.toISOString(),
        until: ended_at.toISOString(),
        sha256: sha256.toString('hex'),
      })),
      public_key: publicKeyText(keys.publicKey),
    };
  }

  /** Throws NoExport. */
  #sourceOf(segment: PlayedSegment, masks: CameraMasks | null): SourceFile {
    const root = this.#options.roots.pathOf(segment.root_id);
    if (root === null) throw new NoExport('disk_away');
    const places = masks ? recordedPlaces(masks, segment) : noMasks;
    if (!places) throw new NoExport('not_aligned');
    return {
      id: segment.id,
      file: join(root, segment.path),
      headBytes: segment.head_bytes,
      startedAtMs: segment.started_at.getTime(),
      endedAtMs: segment.ended_at.getTime(),
      stream: segment.stream_id,
      sha256: segment.sha256.toString('hex'),
      parts: places.parts,
      turns: places.turns,
    };
  }

  /** Returns the first root with room for it; other programs on that disk must not fail because of it. */
  #rootFor(bytes: number): RootRow {
    const { roots, space = spaceOf } = this.#options;
    const present = roots.named.filter(isPresent);
    if (present.length === 0) throw new NoExport('disk_away');
    const roomy = present.find((root) => {
      const now = space(root);
      return now !== null && now.freeBytes - bytes > floorBytes(now.totalBytes);
    });
    if (!roomy) throw new NoExport('disk_full');
    return roomy;
  }

  /** Stops an export that is being written, after its current source file. */
  async stop(): Promise<void> {
    if (this.#target !== null) await rm(this.#target, { force: true });
  }

  /** Removes its file, whole or half: a worker that writes it stops. */
  async discard({ id, root_id }: Pick<ExportRow, 'id' | 'root_id'>): Promise<void> {
    const root = root_id === null ? null : this.#options.roots.pathOf(root_id);
    if (root === null) return;
    for (const path of [partOf(root, id), fileOf(root, id)]) await rm(path, { force: true });
  }

  /** Removes files that a crash left, or whose account or camera is gone. */
  async sweep(): Promise<void> {
    const { roots, store } = this.#options;
    for (const root of roots.all.filter(isPresent)) {
      const folder = join(root.path, exportsFolder);
      const names = existsSync(folder) ? await readdir(folder) : [];
      const done = names.filter((name) => name.endsWith('.mp4'));
      const known = await store.known(done.map((name) => name.slice(0, -'.mp4'.length)));
      for (const name of names) {
        if (!known.has(name.slice(0, -'.mp4'.length))) await rm(join(folder, name));
      }
    }
  }
}

export const fileOf = (root: string, id: string): string => join(root, exportsFolder, `${id}.mp4`);
/** The name while it is made. */
export const partOf = (root: string, id: string): string => join(root, exportsFolder, `${id}.part`);

const asSpan = ({ fromMs, untilMs, pictures }: EncodedSpan) => ({
  from: new Date(fromMs).toISOString(),
  until: new Date(untilMs).toISOString(),
  pictures,
});

const secondsOf = (spans: readonly EncodedSpan[]): number =>
  spans.reduce((sum, { fromMs, untilMs }) => sum + (untilMs - fromMs) / 1_000, 0);

/** Returns the part of a gap that lies in the requested time. */
function within(gap: Gap, { from_at, until_at }: Pick<ExportRow, 'from_at' | 'until_at'>) {
  const from = gap.started_at > from_at ? gap.started_at : from_at;
  const until = gap.ended_at === null || gap.ended_at > until_at ? until_at : gap.ended_at;
  return { from: from.toISOString(), until: until.toISOString(), cause: gap.cause };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
