/**
 * Whether the parts of this installation work, found out by asking them now. Keeps no state and
 * mends nothing: supervisors do that where the parts are.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SystemHealth } from '@nazar/contract/system.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';

type Part = SystemHealth['database'];

/** A round trip to a local database is under 5 ms; a quarter of a second is felt on every page. */
const slowDatabaseMs = 250;
/** The bar for the server's loop is 200 ms at worst; beyond it live views stutter. */
const slowLoopMs = 200;

export interface SystemOptions {
  readonly db: Pick<Database, 'ping'>;
  readonly clock: Clock;
  /** Whether the activity log is known to have been changed. */
  readonly isRecordBroken: () => Promise<boolean>;
  /** Whether this node sees with the models that faces are compared by, or with those until better ones can be had. */
  readonly models: () => Promise<'served' | 'older' | 'loading' | 'missing'>;
  /** How many vision hosts there should be, and how many answer. */
  readonly visionHosts: () => Promise<{ readonly wanted: number; readonly answering: number }>;
  /** Ids of the cameras whose picture is wanted, and of those whose picture comes. */
  readonly pictures: () => { readonly wanted: readonly string[]; readonly live: readonly string[] };
  /** How many days of recordings really fit; null while nothing is measured. */
  readonly fit: () => Promise<SystemHealth['storage_fit']>;
  /** Which of these cameras a user may see. */
  readonly visible: (scope: Scope, cameraIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

export class System implements Disposable {
  readonly #options: SystemOptions;
  readonly #loopDelay = monitorEventLoopDelay({ resolution: 20 });

  constructor(options: SystemOptions) {
    this.#options = options;
    this.#loopDelay.enable();
  }

  /** Cameras that the reader may not see are left out, and not even counted as missing. */
  async health(scope: Scope): Promise<SystemHealth> {
    const [face_recognition, camera_system, database, audit_record, storage_fit] =
      await Promise.all([
        this.#vision(),
        this.#cameras(scope),
        this.#database(),
        this.#record(),
        // How much all cameras record is for administrators.
        scope.seesAll ? this.#options.fit() : null,
      ]);
    const health: SystemHealth = {
      face_recognition,
      camera_system,
      database,
      api_services: this.#api(),
      audit_record,
      storage_fit,
      checked_at: new Date(this.#options.clock.now()).toISOString(),
    };
    this.#loopDelay.reset();
    return health;
  }

  [Symbol.dispose](): void {
    this.#loopDelay.disable();
  }

  async #vision(): Promise<Part> {
    const { wanted, answering } = await this.#options.visionHosts();
    const models = await this.#options.models().catch(() => 'unknown');
    if (models === 'missing') return down('health.models_missing');
    if (answering === 0) return down('health.vision_down');
    if (models === 'loading') return degraded('health.models_loading');
    if (models === 'unknown') return degraded('health.models_unknown');
    if (answering < wanted) return degraded('health.vision_partly');
    return models === 'older' ? { ...operational, detail: 'health.models_older' } : operational;
  }

  async #cameras(scope: Scope): Promise<Part> {
    const { pictures, visible } = this.#options;
    const { wanted, live } = pictures();
    const isMissing = live.length < wanted.length;
    // Unknown while the database is away, which is said of the database.
    const seen = isMissing ? await visible(scope, wanted).catch(() => null) : null;
    if (seen === null) return operational;
    const theirs = wanted.filter((id) => seen.has(id));
    const alive = live.filter((id) => seen.has(id));
    if (alive.length === theirs.length) return operational;
    return alive.length === 0 ? down('health.cameras_down') : degraded('health.cameras_partly');
  }

  /** What the daily check found. Unknown while the database is away. */
  async #record(): Promise<Part> {
    const isBroken = await this.#options.isRecordBroken().catch(() => null);
    if (isBroken === null) return degraded('health.record_unknown');
    return isBroken ? down('health.record_broken') : operational;
  }

  async #database(): Promise<Part> {
    const pingMs = await this.#options.db.ping().catch(() => null);
    if (pingMs === null) return down('health.database_down');
    return pingMs > slowDatabaseMs ? degraded('health.database_slow') : operational;
  }

  /** That this is answered at all says that the API works; a late loop says that it is not at its best. */
  #api(): Part {
    const worstMs = this.#loopDelay.max / 1e6;
    return worstMs > slowLoopMs ? degraded('health.api_slow') : operational;
  }
}

const operational: Part = { status: 'operational', detail: null };
const degraded = (detail: string): Part => ({ status: 'degraded', detail });
const down = (detail: string): Part => ({ status: 'down', detail });
