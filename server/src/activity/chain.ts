/**
 * The chain: each entry is signed together with the signature of the one before it, so that without the key no entry
 * can be changed, removed, inserted or moved. The chain cannot prove its own end: anchors outside
 * the database do.
 */
import type { SecretKey } from '#lib/secrets.ts';

/** An entry as it is stored. The signature covers all of it. */
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
  /** The JSON as text. */
  readonly details: string;
}

export interface Link {
  readonly sequence: number;
  readonly mac: Buffer;
}

/** The link before the first entry. */
export const origin: Link = { sequence: 0, mac: Buffer.alloc(32) };

export function link(key: SecretKey, before: Link, entry: KeptEntry): Link {
  const sequence = before.sequence + 1;
  return {
    sequence,
    mac: key.sign(`${before.mac.toString('hex')}\n${canonical(sequence, entry)}`),
  };
}

/** JSON of a list, because a list does not depend on an order of keys. */
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

/** PostgreSQL also accepts `infinity` as a time, which was never recorded. */
export const isDate = (value: unknown): boolean =>
  value instanceof Date && !Number.isNaN(value.getTime());
