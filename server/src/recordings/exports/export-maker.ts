/** Makes one export: finds its sources and the room for it, has a worker copy it, and adds its proof. */
import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import type { ExportFault } from '@nazar/contract/exports.ts';
import type { CameraMasks, Cameras } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { isOfDisk } from '#lib/folder/folder-process.ts';
import { publicKeyText } from '#lib/secrets.ts';
import type { MediaWorkers } from '#media/media.ts';
import type { EncodedSpan, ExportAnswer, SourceFile } from '#media/protocol/worker-messages.ts';
import { noMasks, recordedPlaces } from '../placed-masks.ts';
import type { PlaybackStore, PlayedSegment } from '../playback/playback-store.ts';
import { exportsFolder, floorBytes, type RootRow, type Roots } from '../roots.ts';
import type { Gap, TimelineStore } from '../archive/timeline-store.ts';
import type { ExportRow, ExportStore, ListedExport } from './export-store.ts';
import { proofBox, type Manifest } from './proof.ts';

export interface ExportMakerOptions {
  readonly store: Pick<ExportStore, 'update' | 'known'>;
  readonly segments: Pick<PlaybackStore, 'segments'>;
  readonly timeline: Pick<TimelineStore, 'gaps'>;
  readonly roots: Pick<
    Roots,
    'named' | 'all' | 'rootOf' | 'presentRoot' | 'present' | 'spaceOf' | 'filesOf' | 'hungOf'
  >;
  readonly workers: MediaWorkers;
  readonly zones: Pick<Cameras['zones'], 'masksOf'>;
  readonly keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly clock: Clock;
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
  #target: { readonly root: RootRow; readonly path: string } | null = null;

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
    const root = await this.#rootFor(masks ? 2 * expected : expected);
    const files = this.#options.roots.filesOf(root);
    await files.makeFolder(join(root.path, exportsFolder));
    const target = partOf(root.path, job.id);
    await files.remove(target);
    const isWanted = await store.update(job.id, { root_id: root.id, expected_bytes: expected });
    if (!isWanted) return null;
    this.#target = { root, path: target };
    try {
      return await this.#write(job, root, segments, masks);
    } catch (error) {
      // A disk that hangs keeps it until the next sweep.
      await files.remove(target).catch(() => undefined);
      throw error;
    }
  }

  async #write(
    job: ListedExport,
    root: RootRow,
    segments: readonly PlayedSegment[],
    masks: CameraMasks | null,
  ): Promise<ExportResult | null> {
    const sources = await this.#sourcesOf(segments, masks);
    const { head: written } = await this.#options.workers.ask<ExportAnswer>(
      {
        kind: 'export',
        target: partOf(root.path, job.id),
        fromMs: job.from_at.getTime(),
        untilMs: job.until_at.getTime(),
        masks: masks && { polygons: masks.polygons, rotation: masks.rotation },
      },
      masks ? maskedTimeoutMs : exportTimeoutMs,
      {
        body: Buffer.from(JSON.stringify(sources)),
        account: job.created_by,
        hung: this.#hungOf([root.id, ...segments.map(({ root_id }) => root_id)]),
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
    const files = this.#options.roots.filesOf(root);
    if ((await files.size(part)) === null) return null;
    await files.append(part, proof);
    const { head } = await workers.ask<{ sha256: string }>(
      { kind: 'hash', file: part },
      exportTimeoutMs,
      { account: job.created_by, hung: this.#hungOf([root.id]) },
    );
    await files.rename(part, fileOf(root.path, job.id));
    await files.syncFolder(join(root.path, exportsFolder));
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
      rewritten: written.rewritten.map(asSpan),
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
  async #sourcesOf(
    segments: readonly PlayedSegment[],
    masks: CameraMasks | null,
  ): Promise<SourceFile[]> {
    const { roots } = this.#options;
    const ids = [...new Set(segments.map(({ root_id }) => root_id))];
    const present = await Promise.all(ids.map((id) => roots.presentRoot(id)));
    if (present.includes(null)) throw new NoExport('disk_away');
    const paths = new Map(present.map((root) => [root!.id, root!.path]));
    return segments.map((one) => this.#sourceOf(one, paths.get(one.root_id)!, masks));
  }

  /** Aborted when any of the disks does not answer. */
  #hungOf(rootIds: readonly string[]): AbortSignal {
    const { roots } = this.#options;
    return AbortSignal.any([...new Set(rootIds)].map((id) => roots.hungOf(id)));
  }

  /** Throws NoExport. */
  #sourceOf(segment: PlayedSegment, root: string, masks: CameraMasks | null): SourceFile {
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
  async #rootFor(bytes: number): Promise<RootRow> {
    const { roots } = this.#options;
    const spaces = await Promise.all(roots.named.map((root) => roots.spaceOf(root)));
    if (spaces.every((space) => space === null)) throw new NoExport('disk_away');
    const roomy = roots.named.find((_, index) => {
      const now = spaces[index] ?? null;
      return now !== null && now.freeBytes - bytes > floorBytes(now.totalBytes);
    });
    if (!roomy) throw new NoExport('disk_full');
    return roomy;
  }

  /** Stops an export that is being written, after its current source file. */
  async stop(): Promise<void> {
    if (this.#target === null) return;
    const { root, path } = this.#target;
    await this.#options.roots
      .filesOf(root)
      .remove(path)
      .catch(() => undefined);
  }

  /** Removes its file, whole or half: a worker that writes it stops. */
  async discard({ id, root_id }: Pick<ExportRow, 'id' | 'root_id'>): Promise<void> {
    const { roots } = this.#options;
    const root = root_id === null ? null : await roots.presentRoot(root_id);
    if (root === null) return;
    const files = roots.filesOf(root);
    try {
      for (const path of [partOf(root.path, id), fileOf(root.path, id)]) await files.remove(path);
    } catch (error) {
      // The sweep of the next start removes it.
      if (!isOfDisk(error)) throw error;
    }
  }

  /** Removes files that a crash left, or whose account or camera is gone. */
  async sweep(): Promise<void> {
    const { roots } = this.#options;
    for (const root of await roots.present(roots.all)) {
      // Exports to other disks are made meanwhile.
      await this.#sweepRoot(root).catch((error: unknown) => {
        if (!isOfDisk(error)) throw error;
      });
    }
  }

  async #sweepRoot(root: RootRow): Promise<void> {
    const files = this.#options.roots.filesOf(root);
    const folder = join(root.path, exportsFolder);
    const names = ((await files.list(folder)) ?? []).map(({ name }) => name);
    const done = names.filter((name) => name.endsWith('.mp4'));
    const ids = done.map((name) => name.slice(0, -'.mp4'.length));
    const known = await this.#options.store.known(ids);
    for (const name of names) {
      if (!known.has(name.slice(0, -'.mp4'.length))) await files.remove(join(folder, name));
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
