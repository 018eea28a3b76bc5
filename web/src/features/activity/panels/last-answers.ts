/**
 * The last counts that the server gave this user, for when a page is loaded anew and the server can't be asked.
 * Each is 24 h old at most, and all are deleted at sign-out. Neither people nor visits stay in a browser.
 */
import { z } from 'zod/mini';
import { copyOf, keepCopy, LONGEST_MS } from '#lib/copies.ts';

/** Some 2 kB each, of a quarter at most 40; the browser keeps 5 MB for all of this origin. */
const mostKept = 40;

const Answer = z.object({ key: z.string(), at: z.number(), value: z.unknown() });
type Answer = z.infer<typeof Answer>;

function answersOf(userId: string, nowMs: number): Answer[] {
  const kept = z.array(Answer).safeParse(copyOf('panels-cache', userId, nowMs)?.value);
  return kept.success ? kept.data.filter(({ at }) => nowMs - at < LONGEST_MS) : [];
}

const keep = (userId: string, nowMs: number, value: Answer[]): void =>
  keepCopy('panels-cache', { user_id: userId, at: nowMs, value });

/** `key` says what was asked. The newest come first; the oldest are dropped. */
export function keepAnswer(userId: string, key: string, value: unknown, nowMs: number): void {
  const others = answersOf(userId, nowMs).filter((one) => one.key !== key);
  keep(userId, nowMs, [{ key, at: nowMs, value }, ...others].slice(0, mostKept));
}

export const lastAnswer = (userId: string, key: string, nowMs: number): Answer | undefined =>
  answersOf(userId, nowMs).find((one) => one.key === key);

/** Removes an answer that the server no longer gives this user. */
export function forgetAnswer(userId: string, key: string, nowMs: number): void {
  const answers = answersOf(userId, nowMs);
  const others = answers.filter((one) => one.key !== key);
  if (others.length < answers.length) keep(userId, nowMs, others);
}
