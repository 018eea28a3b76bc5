/**
 * Structured logs. info: a person would want to know; warn: we recovered; error: somebody must act.
 * Secrets are cut out here as well as kept out there (C-604): known keys are redacted, and every URL that
 * may carry a password goes through `withoutCredentials` before it is logged.
 */
import { pino, type Logger } from 'pino';

export type Log = Logger;

const secretKeys = [
  'password',
  'token',
  'access',
  'refresh',
  'ticket',
  'code',
  'authorization',
  'cookie',
  'url',
  'secret',
].flatMap((key) => [key, `*.${key}`]);

/** Writes JSON lines to standard output. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretKeys, censor: '[redacted]' },
  });
}

/** The same address without user name and password; `[unreadable address]` when it is none. */
export function withoutCredentials(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.username = '';
    parsed.password = '';
    parsed.search = '';
    return parsed.href;
  } catch {
    return '[unreadable address]';
  }
}
