/**
 * Reports an error of this browser to the system log; its code comes with the first one. A report holds the
 * type of the error, its message, where in the code it happened and the path of the page: no query of an address,
 * which may hold what was searched for, no token, and no user name or password of an address.
 */
import { withoutSignIns } from '@nazar/contract/address-text.ts';
import { systemLogRoutes, type BrowserError } from '@nazar/contract/system-logs.ts';
import { address, pathOf } from '#lib/address.ts';
import { call } from './call.ts';
import { Problem } from './problem.ts';
import { keepOwn } from './see-as.ts';
import { accessToken } from './tokens.ts';

export type Kind = BrowserError['kind'];

/** The server takes 20 from an account, which may have several tabs open. */
const MOST_A_MINUTE = 5;
const MINUTE_MS = 60_000;
const limits = { message: 500, stack: 3000, page: 300 } as const;

/** 502 and 504 are a proxy's word for a server that is away, and 503 says what is away. */
const isExpected = (error: unknown): boolean =>
  error instanceof Problem
    ? error.status < 500 || [502, 503, 504].includes(error.status)
    : error instanceof DOMException && error.name === 'AbortError';

keepOwn(systemLogRoutes.reportBrowserError.path);

interface Sent {
  readonly atMs: number;
  /** The id of the entry in the system log; null: the error could not be reported. */
  readonly id: Promise<string | null>;
}

/** The last minute's reports, by what they say. */
const sent = new Map<string, Sent>();

/** For tests, which share this page. */
export const forgetReports = (): void => sent.clear();

/** Null: expected, no user is signed in, too many reports in a minute, or the server can't be reached. Never throws. */
export function tellError(kind: Kind, error: unknown, asked: string): Promise<string | null> {
  if (isExpected(error) || accessToken() === null) return Promise.resolve(null);
  const body = reportOf(kind, error, asked);
  const nowMs = Date.now();
  for (const [key, { atMs }] of sent) if (Math.abs(nowMs - atMs) >= MINUTE_MS) sent.delete(key);
  // A page that can't be drawn because an answer is malformed is one error, whichever code reports it.
  const key = JSON.stringify([body.message, body.stack, body.page]);
  const before = sent.get(key);
  if (before !== undefined) return before.id;
  if (sent.size >= MOST_A_MINUTE) return Promise.resolve(null);
  const id = call(systemLogRoutes.reportBrowserError, { body }).then(
    (reply) => reply.id,
    () => null,
  );
  sent.set(key, { atMs: nowMs, id });
  return id;
}

function reportOf(kind: Kind, error: unknown, asked: string) {
  const what = asked === '' ? typeOf(error) : `${typeOf(error)} at ${asked}`;
  const said = messageOf(error);
  return {
    kind,
    message: clean(said === '' ? what : `${what}: ${said}`, limits.message),
    stack: clean(stackOf(error), limits.stack),
    page: pathOf(address.get()).slice(0, limits.page),
  };
}

const typeOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** A Problem's sentence is in the reader's language; its code says the same to everyone. */
function messageOf(error: unknown): string {
  if (error instanceof Problem) return `HTTP ${error.status} ${error.code}`.trim();
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

/** Without its first line, where browsers repeat type and message. */
const stackOf = (error: unknown): string =>
  error instanceof Error
    ? (error.stack ?? '').replace(`${error.name}: ${error.message}`, '').trimStart()
    : '';

/** The query of an address, up to the line and column that a stack names behind it. */
const query = /(?<=\/[^\s?#()]{0,200})[?#][^\s()]*?(?=(?::\d+){0,2}(?:[\s()]|$))/g;

const clean = (text: string, maxChars: number): string =>
  withoutSignIns(text.slice(0, 2 * maxChars).replaceAll('\0', ''))
    .replaceAll(query, '')
    .slice(0, maxChars)
    .trim();
