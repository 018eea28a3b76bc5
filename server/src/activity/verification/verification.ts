/**
 * Verifies the whole activity log at an administrator's request: one run at a time, in the background, using half a
 * core; every user who may start it sees it and may cancel it. The result is signed, stays until the next run ends, and
 * is recorded.
 */
import type { ChainVerification, VerificationState } from '@nazar/contract/chain-verification.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { signingPairOf, type SecretKey } from '#lib/secrets.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { warnIfBroken } from '../broken-warning.ts';
import type { EntryWriter } from '../entry-writer.ts';
import { verify, type VerifyParts } from '../verify.ts';
import type { Warnings } from '../warnings.ts';
import { readReport, resultOf, signedReport } from './report.ts';
import { VerificationStore, type NamedVerification, type VerificationRow } from './store.ts';

/**
 * Rest for each millisecond of work: requests share the event loop. Pages are a tenth of the command's, because their
 * rows become objects in one go.
 */
const restPerWork = 1;
const entriesPerPage = 1_000;

export interface VerificationOptions extends VerifyParts {
  readonly db: Database;
  readonly master: SecretKey;
  readonly activity: Pick<EntryWriter, 'record'>;
  readonly warnings: Warnings;
  readonly clock: Clock;
  readonly log: Log;
}

interface Run {
  readonly id: string;
  readonly stop: AbortController;
  checked: number;
  ended: Promise<void>;
}

type Stopped = Extract<ChainVerification['state'], 'cancelled' | 'interrupted'>;

export class Verification implements AsyncDisposable {
  readonly #options: VerificationOptions;
  readonly #store: VerificationStore;
  readonly #keys: ReturnType<typeof signingPairOf>;
  #run: Run | null = null;

  private constructor(options: VerificationOptions) {
    this.#options = options;
    this.#store = new VerificationStore(options.db);
    this.#keys = signingPairOf(options.master);
  }

  /** Ends a verification that a server left running when it died. */
  static async open(options: VerificationOptions): Promise<Verification> {
    const verification = new Verification(options);
    await verification.#store.interrupt(new Date(options.clock.now()));
    return verification;
  }

  async state(): Promise<VerificationState> {
    const [latest, done] = await Promise.all([this.#store.latest(), this.#store.latestDone()]);
    return {
      latest: latest ? this.#shown(latest) : null,
      done: done ? this.#shown(done) : null,
    };
  }

  /** Returns the running verification, if there is one. */
  async start(scope: Scope): Promise<ChainVerification> {
    const beganMs = this.#options.clock.now();
    const row = {
      id: uuidv7(beganMs),
      asked_by: scope.seenBy ?? scope.userId,
      began_at: new Date(beganMs),
      total: await this.#store.countSealed(),
    };
    if (await this.#store.add(row)) {
      const run: Run = {
        id: row.id,
        stop: new AbortController(),
        checked: 0,
        ended: Promise.resolve(),
      };
      this.#run = run;
      run.ended = this.#verify(run, row, scope);
    }
    const latest = await this.#store.latest();
    if (!latest) throw new Error('a verification that was begun is not there');
    return this.#shown(latest);
  }

  /** Does nothing if none is running. */
  async cancel(): Promise<VerificationState> {
    await this.#stop('cancelled');
    return this.state();
  }

  /** Throws not_found. */
  async file(id: string): Promise<{ readonly name: string; readonly text: string }> {
    const text = await this.#store.file(id);
    const report = text === null ? null : readReport(text, this.#keys.publicKey).report;
    if (text === null || !report) throw new Problem('not_found');
    const at = report.ended_at.slice(0, 19).replaceAll(/[-:]/g, '');
    return { name: `activity-log-verification-${at}Z.txt`, text };
  }

  /** Resolves once no verification is running. */
  async settled(): Promise<void> {
    await this.#run?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop('interrupted');
  }

  async #stop(as: Stopped): Promise<void> {
    const run = this.#run;
    run?.stop.abort(as);
    await run?.ended;
  }

  async #verify(run: Run, row: Pick<VerificationRow, 'began_at'>, scope: Scope): Promise<void> {
    const { log } = this.#options;
    const { signal } = run.stop;
    try {
      await this.#finish(run, row, scope);
    } catch (err) {
      const state = signal.aborted ? (signal.reason as Stopped) : 'failed';
      if (state === 'failed') log.error({ err }, 'the chain could not be verified');
      await this.#end(run, state).catch((error: unknown) =>
        // The next start ends it.
        log.error({ err: error }, 'the end of a verification could not be stored'),
      );
    } finally {
      if (this.#run === run) this.#run = null;
    }
  }

  async #finish(
    run: Run,
    { began_at }: Pick<VerificationRow, 'began_at'>,
    scope: Scope,
  ): Promise<void> {
    const { clock, activity, warnings } = this.#options;
    const { signal } = run.stop;
    const verdict = await verify(this.#options, {
      entriesPerPage,
      rest: async (workedMs, entries) => {
        run.checked = entries;
        signal.throwIfAborted();
        await clock.wait(workedMs * restPerWork, signal);
      },
    });
    signal.throwIfAborted();
    run.checked = verdict.entries;
    const ended_at = new Date(clock.now());
    const result = resultOf(verdict);
    const file = signedReport(
      {
        verification: run.id,
        began_at: began_at.toISOString(),
        ended_at: ended_at.toISOString(),
        asked_by: scope.seenBy ?? scope.userId,
        ...result,
      },
      this.#keys,
    );
    const { whole, entries, fault } = result;
    const where = fault && { fault: fault.kind, sequence: fault.sequence };
    await this.#store.transaction(async (tx) => {
      await this.#store.end(tx, run.id, { state: 'done', ended_at, checked: entries, file });
      const details = { whole, entries, ...where };
      await activity.record(tx, {
        actor: scope,
        action: 'activity.verified',
        object: null,
        details,
      });
    });
    await warnIfBroken(warnings, verdict.fault);
  }

  #end({ id, checked }: Run, state: VerificationRow['state']): Promise<void> {
    const ended_at = new Date(this.#options.clock.now());
    return this.#store.transaction((tx) =>
      this.#store.end(tx, id, { state, ended_at, checked, file: null }),
    );
  }

  /** A file's content counts only with our signature: an attacker with access to the database can write one. */
  #shown(row: NamedVerification): ChainVerification {
    const { id, state, asked_by, asked_by_name, began_at, ended_at, checked, total, file } = row;
    const read = file === null ? null : readReport(file, this.#keys.publicKey);
    const report = read?.fault === null ? read.report : null;
    return {
      id,
      state: state === 'done' && !report ? 'failed' : state,
      asked_by: asked_by_name === null ? null : { id: asked_by, name: asked_by_name },
      began_at: began_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
      done: this.#run?.id === id ? this.#run.checked : checked,
      total,
      result: report && { ...report },
    };
  }
}
