/**
 * What a user did about alerts while the server was away. Shown at once, kept for 24 h at most, of one user, and sent
 * one after another when the server is back. What it refuses is not sent again: the page says why.
 */
import { alertRoutes, type Alert, type AlertStatusFields } from '@nazar/contract/alerts.ts';
import { signal } from '#lib/signal.ts';
import { store, stored } from '#lib/storage.ts';
import { call } from './call.ts';
import { reachable } from './connection.ts';
import { Problem, problemSentence } from './problem.ts';
import { seeing } from './see-as.ts';

interface Waiting {
  readonly alert: string;
  readonly fields: AlertStatusFields;
  /** When the user did it, in milliseconds since 1970. */
  readonly at: number;
}

interface Kept {
  readonly user_id: string;
  readonly changes: readonly Waiting[];
}

export interface AlertChange {
  readonly fields: AlertStatusFields;
  /** The server could not be reached: it waits here. False: it is on its way. */
  readonly isWaiting: boolean;
}

export interface Refusal {
  readonly alert: string;
  readonly sentence: string;
  /** As it is now, where another user was first. */
  readonly now: Alert | null;
}

const LONGEST_MS = 24 * 60 * 60_000;

/** What is done and not saved yet, by the id of the alert. */
export const alertChanges = signal<ReadonlyMap<string, AlertChange>>(new Map());
/** What waited and was refused, until the user has read it. */
export const alertRefusals = signal<readonly Refusal[]>([]);

function read(userId: string): readonly Waiting[] {
  try {
    const kept = JSON.parse(stored('alert-changes') ?? 'null') as Kept | null;
    if (kept?.user_id !== userId || !Array.isArray(kept.changes)) return [];
    const now = Date.now();
    return kept.changes.filter(({ at }) => at <= now && now - at < LONGEST_MS);
  } catch {
    // Another version wrote it.
    return [];
  }
}

function write(userId: string, changes: readonly Waiting[]): void {
  const kept: Kept = { user_id: userId, changes };
  store('alert-changes', changes.length === 0 ? null : JSON.stringify(kept));
}

function show(id: string, change: AlertChange | null): void {
  const next = new Map(alertChanges.get());
  if (change === null) next.delete(id);
  else next.set(id, change);
  alertChanges.set(next);
}

/** What waits for this user is shown, and nothing of another's. */
export function showWaiting(userId: string): void {
  const onTheirWay = [...alertChanges.get()].filter(([, { isWaiting }]) => !isWaiting);
  const waiting = read(userId).map(({ alert, fields }): [string, AlertChange] => [
    alert,
    { fields, isWaiting: true },
  ]);
  alertChanges.set(new Map([...waiting, ...onTheirWay]));
}

export const isNoAnswer = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status >= 500);

const send = (id: string, fields: AlertStatusFields): Promise<Alert> =>
  call(alertRoutes.updateStatus, { params: { id }, body: fields });

/**
 * Changes an alert: at once on the screen, then on the server. Null: it waits until the server can be reached. Throws
 * the Problem of a refusal. What is saved is shown for itself until `forgetChange`, when the lists have it, too.
 */
export async function changeAlert(
  userId: string,
  id: string,
  fields: AlertStatusFields,
): Promise<Alert | null> {
  show(id, { fields, isWaiting: false });
  try {
    const saved = await send(id, fields);
    unqueue(userId, id);
    return saved;
  } catch (error) {
    unqueue(userId, id);
    show(id, null);
    // With another's eyes nothing is written in their name.
    if (!isNoAnswer(error) || seeing.get() !== null) throw error;
    write(userId, [...read(userId), { alert: id, fields, at: Date.now() }]);
    show(id, { fields, isWaiting: true });
    return null;
  }
}

/** The lists have what came of it. What waits is still shown. */
export function forgetChange(id: string): void {
  if (alertChanges.get().get(id)?.isWaiting === false) show(id, null);
}

/** Others may have come meanwhile. */
function unqueue(userId: string, id: string): void {
  write(
    userId,
    read(userId).filter(({ alert }) => alert !== id),
  );
}

/** One after another, so that none is sent twice. */
let sending: Promise<void> = Promise.resolve();

/** Sends what waits, and asks for the lists again where any of it is settled now. */
export function syncAlerts(userId: string, refreshed: () => Promise<unknown>): Promise<void> {
  sending = sending.then(() => sendWaiting(userId, refreshed));
  return sending;
}

async function sendWaiting(userId: string, refreshed: () => Promise<unknown>): Promise<void> {
  showWaiting(userId);
  // With another's eyes nothing is written in their name.
  if (seeing.get() !== null) return;
  const settled: string[] = [];
  for (const waiting of read(userId)) {
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they were done
    if (await settle(userId, waiting)) {
      settled.push(waiting.alert);
      unqueue(userId, waiting.alert);
      show(waiting.alert, { fields: waiting.fields, isWaiting: false });
    } else if (!reachable.get()) break;
  }
  if (settled.length > 0) await refreshed();
  for (const id of settled) forgetChange(id);
}

/** False: it waits on. */
async function settle(userId: string, { alert, fields }: Waiting): Promise<boolean> {
  try {
    await send(alert, fields);
  } catch (error) {
    if (isNoAnswer(error)) return false;
    const now = await readChanged(alert, error);
    if (now !== null && isDone(userId, fields, now)) return true;
    const refusal = { alert, sentence: problemSentence(error), now };
    alertRefusals.set([...alertRefusals.get(), refusal]);
  }
  return true;
}

/** The alert as it is now, where it was refused because it is another than the user saw; else null. */
export async function readChanged(id: string, error: unknown): Promise<Alert | null> {
  if (!(error instanceof Problem && error.code === 'alert_status_changed')) return null;
  try {
    return await call(alertRoutes.read, { params: { id } });
  } catch {
    return null;
  }
}

/** The first attempt may have reached the server, and only its answer been lost: then it is as the user wanted it. */
function isDone(userId: string, { status }: AlertStatusFields, now: Alert): boolean {
  const by = status === 'in_progress' ? now.assigned_to : now.resolved_by;
  return now.status === status && by === userId;
}

/** Sends what waits as soon as a request reaches the server again. Returns how to stop. */
export function syncAlertsWhenBack(userId: string, refreshed: () => Promise<unknown>): () => void {
  void syncAlerts(userId, refreshed);
  return reachable.subscribe(() => {
    if (reachable.get()) void syncAlerts(userId, refreshed);
  });
}
