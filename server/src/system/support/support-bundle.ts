/**
 * What support needs to find a fault of this installation, as one file to send: version, configuration, health,
 * figures and the end of the system log. It holds no password, no name of a person or camera, no address and no path.
 */
import { Readable } from 'node:stream';
import type { SystemLogEntry } from '@nazar/contract/system-logs.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { tar, type TarFile } from '#http/tar.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SystemLog } from '../log/system-log.ts';
import { detailsWithoutPlaces, knownPlaces, withoutPlaces, type KnownPlaces } from './places.ts';

export interface SupportBundleOptions {
  readonly activity: Activity;
  readonly systemLog: Pick<SystemLog, 'list'>;
  /** What the bundle contains beside the log, by the name of its file; read when it is requested. */
  readonly parts: Readonly<Record<string, (scope: Scope) => unknown>>;
  /** Hosts and user names of this installation's cameras and servers, which a text may name without an address. */
  readonly places: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A line takes 300 bytes, 5 kB at most: a file of them has up to 5 MB, and is the most that is held at a time. */
const linesOfFile = 1_000;
const maxFiles = 5;

export class SupportBundle {
  readonly #options: SupportBundleOptions;

  constructor(options: SupportBundleOptions) {
    this.#options = options;
  }

  async make(scope: Scope): Promise<Readable> {
    const { activity, clock } = this.#options;
    await activity.recordAlone({ actor: scope, action: 'system.support_exported', object: null });
    return Readable.from(tar(this.#files(scope), clock.now()));
  }

  async *#files(scope: Scope): AsyncGenerator<TarFile> {
    for (const [name, part] of Object.entries(this.#options.parts)) {
      yield { name: `${name}.json`, bytes: json(await this.#read(name, () => part(scope))) };
    }
    const places = await this.#read('places', () => this.#options.places());
    // Without them it is not known which words of a line are hosts.
    if ('unread' in places) return;
    const withoutKnown = knownPlaces(places);
    for (let page = 1; page <= maxFiles; page += 1) {
      const query = { page, page_size: linesOfFile };
      const listed = await this.#read('system-log', () =>
        this.#options.systemLog.list(scope, query),
      );
      if ('unread' in listed) return;
      const lines = listed.results.map((entry) => JSON.stringify(lineOf(entry, withoutKnown)));
      yield { name: `system-log-${page}.ndjson`, bytes: Buffer.from(`${lines.join('\n')}\n`) };
      if (listed.results.length < linesOfFile) return;
    }
  }

  /** A bundle is made where something fails: it says what cannot be read, and contains the rest. */
  async #read<T>(name: string, read: () => T | Promise<T>): Promise<T | { unread: string }> {
    try {
      return await read();
    } catch (error) {
      this.#options.log.warn({ err: error, part: name }, 'a part of the support bundle is missing');
      return { unread: error instanceof Error ? error.name : 'unknown' };
    }
  }
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Only the id says whose request it was. */
function lineOf(entry: SystemLogEntry, withoutKnown: KnownPlaces): object {
  const { user_name: _, message, details, ...rest } = entry;
  return {
    ...rest,
    message: withoutPlaces(message, withoutKnown),
    details: detailsWithoutPlaces(details, withoutKnown),
  };
}
