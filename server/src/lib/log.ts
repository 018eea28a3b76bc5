/**
 * Structured logs. info: a person would want to know; warn: we recovered; error: a person must act.
 * Secrets are removed here although callers keep them out, too: known keys are redacted, and addresses inside
 * texts lose their passwords, whatever code wrote the text.
 */
import { withoutSignIns } from '@nazar/contract/address-text.ts';
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

export const standardOutput = (): Lines => pino.destination({ sync: true });

/**
 * Prints JSON lines from this level on, to standard output by default. `also` receives the lines from debug on,
 * whatever is printed: it does its own filtering.
 */
export function createLog(
  level: string,
  to: Lines = standardOutput(),
  also: Lines | null = null,
): Log {
  const printedFrom = valueOf(level);
  return pino(
    {
      level: also !== null && printedFrom > valueOf('debug') ? 'debug' : level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretKeys, censor: '[redacted]' },
    },
    {
      write: (written) => {
        const line = withoutAddressSecrets(written);
        if (numberOf(line) >= printedFrom) to.write(legible(line));
        also?.write(line);
      },
    },
  );
}

/** `silent` prints nothing. */
const valueOf = (level: string): number => pino.levels.values[level] ?? Infinity;

/** The level that pino begins each line with. */
const numberOf = (line: string): number => Number(/^\{"level":(\d+)/.exec(line)?.[1]);

/** As many lines as a start writes. */
const maxKept = 1_000;

/**
 * Passes the lines of the log to one reader beside the output that prints them. The reader is attached once the
 * database is open; earlier lines are kept for it.
 */
export class LogLines {
  #kept: string[] = [];
  #read: ((line: string) => void) | null = null;

  /** Never throws, and never waits: logging does not hold up its caller. */
  write(line: string): void {
    if (this.#read) this.#read(line);
    else if (this.#kept.length < maxKept) this.#kept.push(line);
  }

  /** `read` receives the kept lines, then each line as it is written, until the handle is disposed. */
  follow(read: (line: string) => void): Disposable {
    const kept = this.#kept;
    this.#kept = [];
    this.#read = read;
    for (const line of kept) read(line);
    return {
      [Symbol.dispose]: () => {
        if (this.#read === read) this.#read = null;
      },
    };
  }
}

/**
 * JSON escapes line breaks and ESC, but not other characters that a terminal or an editor obeys: DEL
 * and the second set of control characters, other line ends, and marks that turn the direction of text.
 * They occur inside strings only, where their escape means the same.
 */
function legible(line: string): string {
  return line.replace(
    /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A line of JSON; most lines contain no address. */
function withoutAddressSecrets(line: string): string {
  if (!line.includes('://')) return line;
  return `${JSON.stringify(JSON.parse(line, textWithoutSignIns))}\n`;
}

const textWithoutSignIns = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? withoutSignIns(value) : value;
