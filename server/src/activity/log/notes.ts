/**
 * What clients report about themselves, stored beside the chain: their text may name people and must be erasable, so
 * the chain holds only a salted digest of it. This file also makes lines of the activity log from both.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  activityKinds,
  contentTypes,
  type ActivityEntry,
  type ActivityKind,
  type ClientEntry,
} from '@nazar/contract/activity.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { activitySentence } from '#http/sentences.ts';
import { clean, type Details } from '../entry.ts';
import { kindOf, levelOf } from './kinds.ts';
import type { LogRow, NamedRow } from './rows.ts';

interface Note {
  readonly description: string;
  readonly claimed_at?: string | undefined;
  /** The client's idea of its own address. */
  readonly claimed_ip?: string | undefined;
  readonly additional_data?: Record<string, unknown> | undefined;
  readonly network?: Record<string, unknown> | undefined;
}

/** The limit of the table. */
const maxWordsChars = 12_000;

interface SaltedNote {
  readonly text: string;
  readonly salt: Buffer;
  /** For the chain. */
  readonly digest: string;
  /** The words that a person reads in it: the values, without names of fields and JSON syntax. */
  readonly words: string;
}

function noteOf(entry: ClientEntry): SaltedNote {
  const note: Note = {
    description: entry.description,
    claimed_at: entry.timestamp,
    claimed_ip: entry.ip_address,
    additional_data: entry.additional_data,
    network: entry.network,
  };
  const text = clean(JSON.stringify(note));
  const salt = randomBytes(32);
  const digest = createHash('sha256').update(salt).update(text).digest('hex');
  return { text, salt, digest, words: clean(valuesOf(note).join('\n')).slice(0, maxWordsChars) };
}

function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(valuesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

/** What a client reported, in the form for the chain, and the words beside it. */
export interface ReportedEntry {
  readonly kind: ActivityKind;
  readonly object: { readonly type: string; readonly id: string } | null;
  readonly details: Details;
  readonly note: SaltedNote;
  readonly isMock: boolean;
}

export function reportedBy(entry: ClientEntry, isMock: boolean): ReportedEntry {
  const note = noteOf(entry);
  const { action: kind, content_type: type, object_id: id } = entry;
  const object = type !== undefined && id !== undefined ? { type, id } : null;
  const details = { note: note.digest, ...(type && !object ? { content_type: type } : {}) };
  return { kind, object, details, note, isMock };
}

/** A random entry to try the log with: any action on any object, by the requesting user. */
export function aMockEntry(): ClientEntry {
  return { action: anyOf(activityKinds), content_type: anyOf(contentTypes), description: '' };
}

const anyOf = <T>(list: readonly T[]): T => list[randomInt(list.length)]!;

/** In the reader's language. */
export function asActivityEntry(row: NamedRow, language: Language): ActivityEntry {
  const note = row.note === null ? null : (JSON.parse(row.note) as Note);
  return {
    id: row.id,
    action: kindOf(row.action),
    event: row.action,
    level: levelOf(row.action),
    description: note && note.description !== '' ? note.description : sentenceOf(row, language),
    user: row.user_id,
    user_name: row.user_name,
    user_email: row.user_email,
    ip_address: row.ip,
    timestamp: row.recorded_at.toISOString(),
    content_type_name: row.content_type,
    object_id: row.object_id,
    object_name: row.object_name,
    object_exists: row.object_exists,
    additional_data: dataOf(row, note),
    network: note?.network ?? null,
    source: row.source,
    is_mock: row.is_mock,
    sequence: row.sequence,
  };
}

/** An entry about users' own accounts names no other person. */
function sentenceOf({ action, object_name, ...row }: NamedRow, language: Language): string {
  const isSelf = row.content_type === 'user' && row.object_id === row.user_id;
  const { to } = row.details;
  const object = { name: object_name, to: typeof to === 'string' ? to : null };
  return activitySentence(language, action, object_name === '' || isSelf ? null : object);
}

/** The server's fields take precedence: a client cannot declare that an entry is no mock. */
function dataOf(row: LogRow, note: Note | null): Record<string, unknown> {
  const { note: _digest, content_type: _type, ...details } = row.details;
  const { claimed_at, claimed_ip } = note ?? {};
  return {
    ...note?.additional_data,
    ...(claimed_at === undefined ? {} : { claimed_at }),
    ...(claimed_ip === undefined ? {} : { claimed_ip }),
    ...(row.source === 'client' ? {} : details),
    ...(row.is_mock ? { is_mock: true } : {}),
  };
}
