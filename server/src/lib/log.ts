/**
 * Structured logs. info: a person would want to know; warn: we recovered; error: someone must act.
 * Secrets are removed here although callers keep them out, too (C-604): known keys are redacted, and every URL that
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

interface Lines {
  write(line: string): void;
}

/** Writes JSON lines, to standard output unless told otherwise. */
export function createLog(level: string, to: Lines = pino.destination({ sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretKeys, censor: '[redacted]' },
    },
    { write: (line) => to.write(legible(line)) },
  );
}

/**
 * JSON escapes line breaks and ESC, and lets through what a terminal or an editor obeys just as well: DEL
 * and the second set of control characters, other line ends, and marks that turn the direction of text
 * (C-805). They occur inside strings only, where their escape means the same.
 */
function legible(line: string): string {
  return line.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
