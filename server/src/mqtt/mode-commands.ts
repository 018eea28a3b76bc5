/** The mode of the house as others set it by MQTT: the newest command counts, and no more than one a second is done. */
import { HouseMode } from '@nazar/contract/house-mode.ts';
import { systemActor } from '#activity/activity.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Clock } from '#lib/clock.ts';
import { Paced } from '#lib/limits/paced.ts';
import type { Log } from '#lib/log.ts';
import type { Received } from './connection.ts';

export interface ModeCommandsOptions {
  readonly house: Pick<Alerts['house'], 'change'>;
  readonly clock: Clock;
  readonly log: Log;
}

const pauseMs = 1_000;

export class ModeCommands implements AsyncDisposable {
  readonly #options: ModeCommandsOptions;
  readonly #paced: Paced;
  #wanted: HouseMode | null = null;
  #refused: 'unknown' | 'retained' | null = null;

  constructor(options: ModeCommandsOptions) {
    this.#options = options;
    const failed = (err: unknown): void =>
      options.log.warn({ err }, 'the mode that was sent by MQTT could not be set');
    this.#paced = new Paced({ clock: options.clock, pauseMs, failed }, () => this.#do());
  }

  /** A retained command would be done again with each connection: it is refused, as is what is no mode. */
  receive({ text, isRetained }: Received): void {
    const asked = HouseMode.safeParse(text);
    if (isRetained) this.#refused = 'retained';
    else if (asked.success) this.#wanted = asked.data;
    else this.#refused = 'unknown';
    this.#paced.want();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#paced[Symbol.asyncDispose]();
  }

  async #do(): Promise<void> {
    const { house, log } = this.#options;
    const [mode, refused] = [this.#wanted, this.#refused];
    [this.#wanted, this.#refused] = [null, null];
    if (refused) {
      const reason = refused === 'unknown' ? 'not home, away or off' : 'sent as retained';
      log.warn({ reason }, 'a mode that was sent by MQTT was refused');
    }
    if (mode) await house.change(systemActor, mode, { by: 'mqtt' });
  }
}
