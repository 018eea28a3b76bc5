/**
 * The last page of the log that the server gave this user, for when it cannot be asked, and what
 * they searched for last. Both live for 24 h at most and go at sign-out.
 */
import { ActivityEntry } from '@nazar/contract/activity.ts';
import { z } from 'zod/mini';
import { copyOf, forgetCopy, keepCopy } from '#lib/copies.ts';
import { stored } from '#lib/storage.ts';
import type { EntryPage } from './queries.ts';

const KeptPage = z.object({ count: z.int(), more: z.boolean(), results: z.array(ActivityEntry) });

export function keepEntries(userId: string, page: EntryPage, at: number): void {
  const results = page.results.flatMap((entry) => keptOf(userId, entry));
  keepCopy('logs-cache', { user_id: userId, at, value: { ...page, results } });
}

/** What others are called and what they wrote does not stay in a browser. */
function keptOf(userId: string, entry: ActivityEntry): ActivityEntry[] {
  const isOwn = entry.user === userId;
  if (isOwn && entry.object_id === userId) return [entry];
  if (!isOwn && entry.source === 'client') return [];
  const nameless = withoutPerson(entry);
  if (isOwn) return [nameless];
  return [{ ...nameless, user_name: '', user_email: '', additional_data: {}, network: null }];
}

const people: readonly string[] = ['face', 'unknown_face', 'user'];

function withoutPerson(entry: ActivityEntry): ActivityEntry {
  const { content_type_name: type, object_name: name, description } = entry;
  if (name === '' || !people.includes(type)) return entry;
  return { ...entry, object_name: '', description: description.replaceAll(name, '…') };
}

export interface LastEntries {
  readonly at: number;
  readonly page: EntryPage;
}

export function lastEntries(userId: string, nowMs: number): LastEntries | null {
  const copy = copyOf('logs-cache', userId, nowMs);
  const kept = KeptPage.safeParse(copy?.value);
  return copy !== null && kept.success ? { at: copy.at, page: kept.data } : null;
}

export const forgetEntries = (): void => forgetCopy('logs-cache');
export const sizeOfCache = (): number => stored('logs-cache')?.length ?? 0;

const RECENT_KEPT = 10;
export const RECENT_SHOWN = 5;

const Recent = z.array(z.string());

export function recentSearches(userId: string): string[] {
  const kept = Recent.safeParse(copyOf('recent-searches', userId, Date.now())?.value);
  return kept.success ? kept.data : [];
}

/** The newest first, each once. */
export function keepRecent(userId: string, term: string): void {
  const value = [term, ...recentSearches(userId).filter((one) => one !== term)];
  keepCopy('recent-searches', {
    user_id: userId,
    at: Date.now(),
    value: value.slice(0, RECENT_KEPT),
  });
}
