/** A line of the log as the system log keeps it. Pure. */
import type { SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { scrub, scrubText } from './scrub.ts';

export interface Line {
  readonly level: SystemLogLevel;
  readonly source: string;
  readonly message: string;
  readonly userId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** What the system log says of itself is printed only: kept, each failure to write would be something to write. */
export const ownSource = 'system_log';

/** What browsers report of themselves. */
export const browserSource = 'browser';

const maxMessageChars = 1_000;
const maxDetailsChars = 4_000;
const maxSourceChars = 40;

/** Processes that the server starts, by how their names begin: `media-1`, `vision-0`. */
const hostKind = /^[a-z]+/;

type Keeps = (source: string, level: SystemLogLevel) => boolean;

/** Null: not a line of ours, one of the system log itself, or one that is not kept. */
export function lineOf(text: string, keeps: Keeps = () => true): Line | null {
  const fields = parsed(text);
  if (fields === null) return null;
  const { level, time, msg, module, host, userId, reqId: _, ...details } = fields;
  if (module === ownSource) return null;
  const atMs = typeof time === 'string' ? Date.parse(time) : NaN;
  if (typeof level !== 'number' || Number.isNaN(atMs)) return null;
  const from = { level: levelOf(level), source: sourceOf(module, host) };
  if (!keeps(from.source, from.level)) return null;
  return aLine({
    ...from,
    message: typeof msg === 'string' ? msg : '',
    userId: typeof userId === 'string' ? userId : null,
    details: {
      ...(host === undefined ? {} : { host }),
      ...details,
      ...('err' in details ? { err: errorOf(details['err']) } : {}),
    },
    atMs,
  });
}

/** Returns the line within its bounds, and without what no one is to read. */
export function aLine(line: Line): Line {
  return {
    ...line,
    source: scrubText(line.source, maxSourceChars),
    message: scrubText(line.message, maxMessageChars),
    details: bounded(scrub(line.details) as Record<string, unknown>),
  };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** pino: 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
function levelOf(level: number): SystemLogLevel {
  if (level >= 50) return 'error';
  if (level >= 40) return 'warning';
  return level >= 30 ? 'info' : 'debug';
}

function sourceOf(module: unknown, host: unknown): string {
  const kind = typeof host === 'string' ? hostKind.exec(host)?.[0] : undefined;
  if (kind !== undefined) return kind;
  return typeof module === 'string' ? module : 'server';
}

/**
 * Returns what an error is and where it happened. PostgreSQL adds the row that it refused, and others what they were
 * given: that may be anything that a user typed.
 */
function errorOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { type, message, stack } = error as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries({ type, message, stack }).filter(([, value]) => value !== undefined),
  );
}

/** Whole, or without its longest fields: half a value says something else. */
function bounded(details: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(details).map(([key, value]) => {
    return { key, value, chars: JSON.stringify(value).length + key.length + 4 };
  });
  let chars = fields.reduce((sum, field) => sum + field.chars, 2);
  for (const field of fields.toSorted((a, b) => b.chars - a.chars)) {
    if (chars <= maxDetailsChars) break;
    chars -= field.chars - 20 - field.key.length;
    field.value = '[too long]';
  }
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]));
}
