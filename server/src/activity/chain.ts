/**
 * The chain: each entry is signed together with the signature of the one before it, so that none can be
 * changed, taken out, put in or moved without the key. The chain cannot prove its own end: anchors outside
 * the database do.
 */
import type { SecretKey } from '#lib/secrets.ts';

/** An entry as it is kept. The signature covers all of it. */
export interface KeptEntry {
  readonly id: string;
  readonly recorded_at: Date;
  readonly source: string;
  readonly is_mock: boolean;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly ip: string;
  readonly user_agent: string;
  readonly action: string;
  readonly object_type: string | null;
  readonly object_id: string | null;
  /** The text of the JSON. */
  readonly details: string;
}

export interface Link {
  readonly sequence: number;
  readonly mac: Buffer;
}

/** Stands before the first entry. */
export const origin: Link = { sequence: 0, mac: Buffer.alloc(32) };

export function link(key: SecretKey, before: Link, entry: KeptEntry): Link {
  const sequence = before.sequence + 1;
  return {
    sequence,
    mac: key.sign(`${before.mac.toString('hex')}\n${canonical(sequence, entry)}`),
  };
}

/** JSON of a list, because a list needs no agreed order of keys. */
function canonical(sequence: number, entry: KeptEntry): string {
  return JSON.stringify([
    sequence,
    entry.id,
    entry.recorded_at.toISOString(),
    entry.source,
    entry.is_mock,
    entry.user_id,
    entry.session_id,
    entry.ip,
    entry.user_agent,
    entry.action,
    entry.object_type,
    entry.object_id,
    entry.details,
  ]);
}

/** PostgreSQL also takes `infinity` for a time, which was never recorded. */
export const isDate = (value: unknown): boolean =>
  value instanceof Date && !Number.isNaN(value.getTime());
