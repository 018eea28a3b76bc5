/**
 * Notifications as they happen, for programs. Rights, session and key are checked by the answers under way
 * (`http/long-answers.ts`), which hand the current rights to `follow`.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import type { NotificationEvent } from '@nazar/contract/notifications.ts';
import { rightsOf, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { FairShare } from '#lib/limits/fair-share.ts';
import { Paced } from '#lib/limits/paced.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Topic } from '#lib/topic.ts';
import type { NotificationLists } from '../lists.ts';
import type { ChangedNotifications } from '../raising/raising.ts';
import type { Position } from '../store.ts';
import { EventStream } from './event-stream.ts';

export interface NotificationStreamsOptions {
  readonly notifications: {
    readonly changed: Topic<ChangedNotifications>;
    readonly lists: Pick<NotificationLists, 'newer' | 'position' | 'unreadCount'>;
  };
  readonly clock: Clock;
  readonly log: Log;
}

export interface StreamReader {
  readonly events: EventStream;
  readonly language: Language;
  scope: Scope;
  /** Readers with equal rights are answered once. */
  rights: string;
  since: Position;
  /** What it was sent last; null: nothing yet. */
  unreadCount: number | null;
}

export const maxStreamsPerUser = 10;
/** Accounts share them. */
const maxStreams = 500;
const pauseMs = 1_000;
/** Proxies close what is silent for a minute, some for half of one. */
const keepAliveMs = 15_000;

export class NotificationStreams implements AsyncDisposable {
  readonly #options: NotificationStreamsOptions;
  readonly #readers = new FairShare<StreamReader>(maxStreams);
  readonly #paced: Paced;
  readonly #subscription: Disposable;
  readonly #stop = new AbortController();
  readonly #keepingAlive: Promise<void>;
  /** Users whose readers are to be sent what is new. */
  #due = new Set<string>();

  constructor(options: NotificationStreamsOptions) {
    this.#options = options;
    const { notifications, clock, log } = options;
    const failed = (err: unknown) => log.warn({ err }, 'notifications could not be streamed');
    this.#paced = new Paced({ clock, pauseMs, failed }, () => this.#announce());
    this.#subscription = notifications.changed.on(({ userId }) => this.#changed(userId));
    this.#keepingAlive = every(
      { clock, everyMs: keepAliveMs, signal: this.#stop.signal },
      () => this.#keepAlive(),
      failed,
    );
  }

  get size(): number {
    return this.#readers.size;
  }

  /** `lastId`: what the reader had last. Throws notification_streams_too_many. */
  async open(
    scope: Scope,
    { language, lastId }: { readonly language: Language; readonly lastId: string | null },
  ): Promise<StreamReader> {
    const since = await this.#options.notifications.lists.position(scope, lastId);
    const events = new EventStream();
    const rights = rightsOf(scope);
    const reader: StreamReader = { events, language, scope, rights, since, unreadCount: null };
    this.#admit(reader);
    this.#changed(scope.userId);
    return reader;
  }

  /** Goes on with the rights that the reader has now. */
  follow(reader: StreamReader, now: Scope): void {
    const rights = rightsOf(now);
    reader.scope = now;
    if (rights === reader.rights) return;
    reader.rights = rights;
    this.#changed(now.userId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#subscription[Symbol.dispose]();
    for (const { events } of this.#readers) events.finish();
    await this.#keepingAlive;
    await this.#paced[Symbol.asyncDispose]();
  }

  #admit(reader: StreamReader): void {
    const { userId } = reader.scope;
    const own = [...this.#readers].filter(({ scope }) => scope.userId === userId);
    const isFull = own.length >= maxStreamsPerUser || this.#stop.signal.aborted;
    const admission = isFull ? null : this.#readers.admit(userId, reader);
    if (admission === null || admission.kind === 'full') {
      throw new Problem('notification_streams_too_many', { max: maxStreamsPerUser });
    }
    if (admission.kind === 'replaced') admission.left.events.finish();
    reader.events.once('close', () => this.#readers.release(userId, reader));
  }

  #changed(userId: string): void {
    if (this.#readers.size === 0) return;
    this.#due.add(userId);
    this.#paced.want();
  }

  #keepAlive(): void {
    for (const { events } of this.#readers) events.keepAlive();
  }

  async #announce(): Promise<void> {
    const due = this.#due;
    this.#due = new Set();
    const readers = [...this.#readers].filter(({ scope }) => due.has(scope.userId));
    const alike = Map.groupBy(readers, ({ scope, rights }) => `${scope.userId} ${rights}`);
    for (const group of alike.values()) await this.#sendTo(group);
  }

  /** What fails for one user is tried again after the pause, and keeps no other waiting. */
  async #sendTo(alike: readonly StreamReader[]): Promise<void> {
    try {
      await this.#sendUnreadCount(alike);
      const together = Map.groupBy(alike, ({ language, since }) => `${language} ${since.id}`);
      for (const readers of together.values()) await this.#sendNewer(readers);
    } catch (err) {
      this.#options.log.warn({ err }, 'notifications could not be streamed; it goes on later');
      this.#changed(alike[0]!.scope.userId);
    }
  }

  async #sendUnreadCount(readers: readonly StreamReader[]): Promise<void> {
    const counted = await this.#options.notifications.lists.unreadCount(readers[0]!.scope);
    for (const reader of readers) {
      if (reader.unreadCount === counted.unread_count) continue;
      reader.unreadCount = counted.unread_count;
      send(reader, 'unread_count', counted);
    }
  }

  async #sendNewer(readers: readonly StreamReader[]): Promise<void> {
    const { scope, since, language } = readers[0]!;
    const newer = await this.#options.notifications.lists.newer(scope, since, language);
    for (const reader of readers) {
      for (const one of newer) {
        send(reader, 'notification', one, one.id);
        reader.since = { id: one.id, created_at: new Date(one.created_at) };
      }
    }
  }
}

const send = (
  { events }: StreamReader,
  event: NotificationEvent,
  data: object,
  id?: string,
): void => events.send({ event, data, ...(id !== undefined && { id }) });
