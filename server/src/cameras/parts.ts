/** What cameras are made of. The parts ask the front door for a camera that its caller may see. */
import type { Camera, CameraFields } from '@nazar/contract/cameras.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { Access } from './access.ts';
import { AccessStore } from './access-store.ts';
import { AlignmentStore } from './alignment-store.ts';
import { Alignments } from './alignments.ts';
import { CameraGroups } from './groups.ts';
import { CameraImport, type CameraImportOptions } from './import/import.ts';
import { LayoutStore } from './layouts/layout-store.ts';
import { Layouts, type LayoutsOptions } from './layouts/layouts.ts';
import { OnlineStore } from './online-store.ts';
import { Reaching } from './reaching.ts';
import { CameraStore, type ListedCamera } from './store.ts';
import { ZoneStore } from './zone-store.ts';
import { Zones } from './zones.ts';

export interface PartsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly key: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Sets when a newly imported camera is recorded, and how long that is kept; null: not at all. */
  readonly record: CameraImportOptions['record'];
}

/** What the parts ask of the front door. */
export interface CameraCalls {
  /** Throws camera_not_found. */
  readonly cameraOf: (scope: Scope, id: string) => Promise<ListedCamera>;
  readonly visibleAmong: LayoutsOptions['visibleAmong'];
  readonly add: (scope: Scope, fields: CameraFields) => Promise<Camera>;
  /** Called when a part changed a camera. */
  readonly changed: (cameraId: string) => void;
}

export interface CameraParts {
  readonly store: CameraStore;
  readonly online: OnlineStore;
  readonly access: Access;
  readonly groups: CameraGroups;
  readonly layouts: Layouts;
  readonly zones: Zones;
  readonly alignments: Alignments;
  readonly importing: CameraImport;
  readonly reaching: Reaching;
}

export function makeParts(options: PartsOptions, calls: CameraCalls): CameraParts {
  const { db, activity, key, clock, log, record } = options;
  const { cameraOf, visibleAmong, add, changed } = calls;
  const store = new CameraStore(db);
  const groups = new CameraGroups({ db, activity, clock });
  const common = { activity, clock, cameraOf, changed };
  const alignments = new Alignments({ store: new AlignmentStore(db), ...common });
  const zones = new Zones({ store: new ZoneStore(db), alignments, ...common });
  return {
    store,
    groups,
    alignments,
    zones,
    online: new OnlineStore(db),
    access: new Access({ store: new AccessStore(db), activity, clock, cameraOf }),
    reaching: new Reaching({ store, key, log, cameraOf }),
    layouts: new Layouts({ store: new LayoutStore(db), activity, visibleAmong, clock }),
    importing: new CameraImport({
      present: () => store.all(),
      add,
      setZones: (scope, id, fields) => zones.replace(scope, id, fields),
      record,
      groups,
    }),
  };
}
