/**
 * Warnings to administrators: any module raises one, and it is shown until it is acknowledged or over.
 * A repetition is counted, and neither recorded nor logged again.
 */
import type { Warning, WarningKind } from '@nazar/contract/warnings.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { Database, Tx } from '#db/database.ts';
import { addChange } from '#feed/feed.ts';
import type { Scope } from '#http/scope.ts';
import type { EntryWriter } from './entry-writer.ts';
import { systemActor, type Details } from './entry.ts';
import { WarningStore, type WarningRow } from './warning-store.ts';

/** These last until their cause is over, even when acknowledged. */
const lasting: readonly WarningKind[] = [
  'record_broken',
  'disk_low',
  'disk_full',
  'folder_away',
  'folder_hung',
  'storage_short',
  'camera_down',
  'camera_frozen',
  'camera_covered',
  'models_waiting',
];
export const criticalWarnings: readonly WarningKind[] = [
  'record_broken',
  'session_stolen',
  'disk_full',
  'folder_away',
  'folder_hung',
];

export interface Raised {
  readonly kind: WarningKind;
  /** Id of the user, camera or models; '' or absent: the installation. */
  readonly subject?: string;
  readonly details?: Details;
}

export interface WarningsOptions {
  readonly db: Database;
  readonly activity: Pick<EntryWriter, 'record'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Warnings {
  /** Publishes each change of a warning after its commit; the feed holds the same. */
  readonly changed: Topic<{ readonly id: string }>;
  readonly #store: WarningStore;
  readonly #activity: Pick<EntryWriter, 'record'>;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ db, activity, clock, log }: WarningsOptions) {
    this.#store = new WarningStore(db);
    this.#activity = activity;
    this.#clock = clock;
    this.#log = log;
    this.changed = new Topic((error) => log.error({ err: error }, 'reader of warnings failed'));
  }

  /** Writes each new warning once to the activity log, the server's log and the dashboard. */
  async raise({ kind, subject = '', details = {} }: Raised): Promise<void> {
    const id = uuidv7(this.#clock.now());
    let isNew = false;
    await this.#change(async (tx, at) => {
      const raisedId = await this.#store.raise(tx, { id, kind, subject, details }, at);
      isNew = raisedId === id;
      if (!isNew) return raisedId;
      const object = { type: 'warning', id } as const;
      const entry = { actor: systemActor, action: 'warning.raised', object } as const;
      await this.#activity.record(tx, { ...entry, details: { ...details, kind, subject } });
      return id;
    });
    if (isNew) this.#log.error({ warning: kind, subject, details }, 'administrators are warned');
  }

  /** For callers within a request, which must not fail because of a failing warning. */
  raiseSoon(raised: Raised): void {
    this.raise(raised).catch((err: unknown) =>
      this.#log.error({ err, warning: raised.kind }, 'a warning could not be raised'),
    );
  }

  /** Updates the figures of an open warning, without counting or announcing it. */
  update({ kind, subject = '', details = {} }: Raised): Promise<void> {
    return this.#change((tx) => this.#store.update(tx, kind, subject, details));
  }

  /** Ends a warning whose cause is over. */
  end(kind: WarningKind, subject = ''): Promise<void> {
    return this.#change((tx, at) => this.#store.end(tx, kind, subject, at));
  }

  async list(): Promise<Warning[]> {
    return (await this.#store.open()).map(asWarning);
  }

  /** The subjects of the warnings of one kind whose cause persists, acknowledged or not. */
  subjects(kind: WarningKind): Promise<string[]> {
    return this.#store.subjects(kind);
  }

  /** Whether the cause of the warning persists, acknowledged or not. */
  async isLiving(kind: WarningKind): Promise<boolean> {
    return (await this.#store.subjects(kind)).length > 0;
  }

  /** Throws warning_not_found. */
  async acknowledge(scope: Scope, id: string): Promise<void> {
    await this.#change(async (tx) => {
      if (!(await this.#acknowledge(tx, scope, id))) throw new Problem('warning_not_found');
      return id;
    });
  }

  /** Part of the caller's transaction; nothing happens where it is over or acknowledged already. */
  async acknowledgeWith(tx: Tx, scope: Scope, id: string): Promise<void> {
    if (!(await this.#acknowledge(tx, scope, id))) return;
    await addChange(tx, { kind: 'warning', subject: id, at: new Date(this.#clock.now()) });
  }

  async #acknowledge(tx: Tx, scope: Scope, id: string): Promise<boolean> {
    const by = { userId: scope.userId, at: new Date(this.#clock.now()) };
    if (!(await this.#store.acknowledge(tx, id, by, lasting))) return false;
    const object = { type: 'warning', id } as const;
    await this.#activity.record(tx, { actor: scope, action: 'warning.acknowledged', object });
    return true;
  }

  /** `work` returns the id of the warning that it changed; null: of none. */
  async #change(work: (tx: Tx, at: Date) => Promise<string | null>): Promise<void> {
    const at = new Date(this.#clock.now());
    const id = await this.#store.transaction(async (tx) => {
      const subject = await work(tx, at);
      if (subject !== null) await addChange(tx, { kind: 'warning', subject, at });
      return subject;
    });
    if (id !== null) this.changed.publish({ id });
  }
}

function asWarning(row: WarningRow): Warning {
  return {
    id: row.id,
    kind: row.kind,
    severity: criticalWarnings.includes(row.kind) ? 'critical' : 'warning',
    subject: row.subject_name,
    count: row.count,
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
    details: row.details,
  };
}
