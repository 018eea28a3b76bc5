/**
 * What recordings are made of: what follows the hosts, what finds and plays, what keeps and removes, what exports. Each
 * group is built of what all of them share.
 */
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { MaskingLimit, MediaWorkers } from '#media/media.ts';
import { Archive } from './archive/archive.ts';
import { ArchiveStore } from './archive/archive-store.ts';
import { Days } from './archive/days.ts';
import { DaysStore } from './archive/days-store.ts';
import { DeletedCameras } from './archive/deleted-cameras.ts';
import { DeletedStore } from './archive/deleted-store.ts';
import { MotionSearch } from './archive/motion-search.ts';
import { MotionStore } from './archive/motion-store.ts';
import { PlayableCameras } from './archive/playable-cameras.ts';
import { Statistics } from './archive/statistics.ts';
import { TimelineStore } from './archive/timeline-store.ts';
import { Timelines } from './archive/timelines.ts';
import { BookmarkStore } from './bookmarks/bookmark-store.ts';
import { Bookmarks } from './bookmarks/bookmarks.ts';
import { ExportMaker } from './exports/export-maker.ts';
import { ExportStore } from './exports/export-store.ts';
import { Exports } from './exports/exports.ts';
import { ExportRunner } from './exports/runner.ts';
import { IndexStore } from './index/index-store.ts';
import { Recovery } from './index/recovery.ts';
import { SegmentIndexer } from './index/segment-indexer.ts';
import { MaskedParts } from './playback/masked-parts.ts';
import { PlaybackStore } from './playback/playback-store.ts';
import { Playback } from './playback/playback.ts';
import { StillStore } from './playback/still-store.ts';
import { Stills } from './playback/stills.ts';
import { Thumbnails } from './playback/thumbnails.ts';
import { Plans } from './policies/plans.ts';
import { Policies } from './policies/policies.ts';
import { SettingsStore } from './policies/settings-store.ts';
import { StorageEstimate } from './policies/storage-estimate.ts';
import { Deletion } from './retention/deletion.ts';
import { HoldStore } from './retention/hold-store.ts';
import { Holds } from './retention/holds.ts';
import { RemovalStore } from './retention/removal-store.ts';
import { Retention } from './retention/retention.ts';
import type { Roots } from './roots.ts';

export interface PartsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly cameras: Pick<
    Cameras,
    'mustSee' | 'mustSeeEvenDeleted' | 'visibleAmong' | 'read' | 'toRecord' | 'changed' | 'zones'
  >;
  /** The key from which the signing key of exports is derived. */
  readonly key: SecretKey;
  /** The workers that decode and copy recorded files. */
  readonly workers: MediaWorkers;
  /** How much of it is encoded again at once. */
  readonly maskingLimit: MaskingLimit;
  readonly clock: Clock;
  readonly log: Log;
}

/** What several groups use. */
interface Shared extends PartsOptions {
  readonly roots: Roots;
  /** Called when recordings of a camera changed. */
  readonly changed: (cameraId: string) => void;
  readonly index: IndexStore;
  readonly settings: SettingsStore;
  readonly removal: RemovalStore;
  readonly archived: ArchiveStore;
  readonly timeline: TimelineStore;
  readonly segments: PlaybackStore;
  readonly playable: PlayableCameras;
  readonly archive: Archive;
  readonly estimate: StorageEstimate;
}

export type RecordingParts = Pick<Shared, 'roots' | 'archive' | 'estimate'> &
  ReturnType<typeof following> &
  ReturnType<typeof finding> &
  ReturnType<typeof playing> &
  ReturnType<typeof keeping> &
  ReturnType<typeof exporting>;

export function makeParts(
  options: PartsOptions,
  roots: Roots,
  changed: Shared['changed'],
): RecordingParts {
  const shared = sharedBy(options, roots, changed);
  const follows = following(shared);
  return {
    ...shared,
    ...follows,
    ...finding(shared),
    ...playing(shared),
    ...keeping(shared, follows.plans),
    ...exporting(shared),
  };
}

function sharedBy(options: PartsOptions, roots: Roots, changed: Shared['changed']): Shared {
  const { db, activity, cameras, clock } = options;
  const settings = new SettingsStore(db);
  const removal = new RemovalStore(db);
  const archived = new ArchiveStore(db);
  return {
    ...options,
    roots,
    changed,
    settings,
    removal,
    archived,
    index: new IndexStore(db),
    timeline: new TimelineStore(db),
    segments: new PlaybackStore(db),
    playable: new PlayableCameras(cameras, archived),
    archive: new Archive({ store: archived, roots, activity, cameras, clock }),
    estimate: new StorageEstimate({ removal, settings, roots, cameras, clock }),
  };
}

/** What hosts are to record, and the index of what they write. */
function following(shared: Shared) {
  const { index: store, roots, settings, cameras, changed, clock, log } = shared;
  const indexer = new SegmentIndexer({
    store,
    roots,
    isWanted: (cameraId) => plans.isWanted(cameraId),
    began: changed,
    clock,
    log,
  });
  const plans: Plans = new Plans({
    settings,
    store,
    roots,
    cameras,
    indexer,
    changed,
    clock,
    log,
  });
  return { indexer, plans, recovery: new Recovery({ store, roots, indexer, log }) };
}

function finding({ db, archived, playable, archive, ...shared }: Shared) {
  const { timeline, estimate, roots, activity, cameras, clock } = shared;
  return {
    timelines: new Timelines({ store: timeline, playable, cameras, clock }),
    days: new Days({ store: new DaysStore(db), playable, cameras, clock }),
    bookmarks: new Bookmarks({ store: new BookmarkStore(db), playable, activity, clock }),
    deletedCameras: new DeletedCameras(new DeletedStore(db)),
    motionSearch: new MotionSearch({ store: new MotionStore(db), playable, cameras, clock }),
    statistics: new Statistics({ store: archived, archive, roots, cameras, estimate }),
  };
}

function playing({ db, segments, archived, playable, archive, ...shared }: Shared) {
  const { roots, activity, cameras, workers, maskingLimit, clock } = shared;
  const masked = new MaskedParts({ roots, zones: cameras.zones, workers });
  const thumbnails = new Thumbnails({
    store: segments,
    playable,
    seen: archived,
    roots,
    cameras,
    workers,
  });
  return {
    thumbnails,
    playback: new Playback({
      store: segments,
      archive,
      playable,
      activity,
      cameras,
      masked,
      maskingLimit,
      clock,
    }),
    stills: new Stills({
      store: new StillStore(db),
      thumbnails,
      playable,
      activity,
      roots,
      cameras,
      workers,
      clock,
    }),
  };
}

/** How long recordings are kept, and what ends sooner or later than that. */
function keeping({ db, index, removal, archived, ...shared }: Shared, plans: Plans) {
  const { settings, estimate, playable, roots, activity, cameras, changed, clock, log } = shared;
  return {
    policies: new Policies({
      store: settings,
      roots,
      plans,
      estimate,
      activity,
      cameras,
      playable,
      clock,
    }),
    deletion: new Deletion({ store: removal, index, archive: archived, activity, clock, changed }),
    holds: new Holds({ store: new HoldStore(db), activity, cameras, clock, changed }),
    retention: new Retention({ store: removal, index, roots, clock, log }),
  };
}

/** The API of exports, and the runner that makes them. */
function exporting({ db, key, segments, timeline, archived: seen, playable, ...shared }: Shared) {
  const { roots, workers, activity, cameras, clock, log } = shared;
  const store = new ExportStore(db);
  const maker = new ExportMaker({
    store,
    segments,
    timeline,
    roots,
    workers,
    zones: cameras.zones,
    keys: key.signingPair(),
    clock,
  });
  const runner = new ExportRunner({ store, maker, clock, log });
  const exports = new Exports({
    store,
    segments,
    runner,
    maker,
    seen,
    playable,
    roots,
    activity,
    cameras,
    clock,
  });
  return { exports, runner };
}
