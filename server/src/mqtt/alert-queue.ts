/**
 * Alerts that are to be sent, bounded while the broker is away: at most `maxAlerts`, and none that is older than
 * `maxAgeMs`; the oldest go, and are counted. An alert waits once, however often it changes. Pure.
 */
import type { ChangedAlert } from '#alerts/alerts.ts';

export const maxAlerts = 1_000;
export const maxAgeMs = 10 * 60_000;

export interface WaitingAlert {
  readonly id: string;
  /** When the first change came that was not sent. */
  readonly atMs: number;
  /** Its beginning is among what was not sent. */
  readonly isNew: boolean;
}

export class AlertQueue {
  readonly #waiting = new Map<string, WaitingAlert>();
  #dropped = 0;

  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add({ alertId, kind }: Pick<ChangedAlert, 'alertId' | 'kind'>, atMs: number): void {
    this.#keep({ id: alertId, atMs, isNew: kind === 'raised' });
  }

  /** Takes those that are young enough, the oldest first. */
  take(nowMs: number): WaitingAlert[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    const young = all.filter(({ atMs }) => nowMs - atMs <= maxAgeMs);
    this.#dropped += all.length - young.length;
    return young;
  }

  /** What could not be sent waits again, before what came since. */
  putBack(alerts: readonly WaitingAlert[]): void {
    const since = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const alert of [...alerts, ...since]) this.#keep(alert);
  }

  /** MQTT is switched off: nothing waits. */
  clear(): void {
    this.#waiting.clear();
  }

  #keep(alert: WaitingAlert): void {
    const known = this.#waiting.get(alert.id);
    if (known) {
      this.#waiting.set(alert.id, { ...known, isNew: known.isNew || alert.isNew });
      return;
    }
    this.#waiting.set(alert.id, alert);
    if (this.#waiting.size <= maxAlerts) return;
    this.#waiting.delete(this.#waiting.keys().next().value!);
    this.#dropped += 1;
  }
}
