/**
 * Warnings to administrators: any module raises one, and it is shown until it is acknowledged or over.
 * A repetition is counted, and neither recorded nor logged again.
 */
import type { Warning, WarningKind } from '@nazar/contract/warnings.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Database } from '#db/database.ts';
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
  'models_waiting',
];
const critical: readonly WarningKind[] = [
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
  readonly #store: WarningStore;
  readonly #activity: Pick<EntryWriter, 'record'>;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ db, activity, clock, log }: WarningsOptions) {
    this.#store = new WarningStore(db);
    this.#activity = activity;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes each new warning once to the activity log, the server's log and the dashboard. */
  async raise({ kind, subject = '', details = {} }: Raised): Promise<void> {
    const id = uuidv7(this.#clock.now());
    const isNew = await this.#store.transaction(async (tx) => {
      const row = { id, kind, subject, details };
      if (!(await this.#store.raise(tx, row, this.#now()))) return false;
      const object = { type: 'warning', id } as const;
      const entry = { actor: systemActor, action: 'warning.raised', object } as const;
      await this.#activity.record(tx, { ...entry, details: { ...details, kind, subject } });
      return true;
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
    return this.#store.update(kind, subject, details);
  }

  /** Ends a warning whose cause is over. */
  end(kind: WarningKind, subject = ''): Promise<void> {
    return this.#store.end(kind, subject, this.#now());
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
    await this.#store.transaction(async (tx) => {
      const by = { userId: scope.userId, at: this.#now() };
      const done = await this.#store.acknowledge(tx, id, by, lasting);
      if (!done) throw new Problem('warning_not_found');
      const object = { type: 'warning', id } as const;
      await this.#activity.record(tx, { actor: scope, action: 'warning.acknowledged', object });
    });
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

function asWarning(row: WarningRow): Warning {
  return {
    id: row.id,
    kind: row.kind,
    severity: critical.includes(row.kind) ? 'critical' : 'warning',
    subject: row.subject_name,
    count: row.count,
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
    details: row.details,
  };
}
