/** Rows of the activity log, and what is asked of them. Types only. */
import type { Page } from '#db/page.ts';
import type { Source } from '../entry.ts';
import type { Token } from './log-words.ts';

/** A line of the activity log, with the names of its user. */
export interface LogRow {
  readonly id: string;
  readonly recorded_at: Date;
  readonly source: Source;
  readonly is_mock: boolean;
  readonly user_id: string | null;
  readonly user_email: string;
  readonly user_name: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly action: string;
  readonly content_type: string;
  readonly object_id: string | null;
  readonly details: Record<string, unknown>;
  readonly note: string | null;
  readonly sequence: number | null;
}

/** Where an entry stands in the log, which is read from the newest on. */
export type EntryPlace = Pick<LogRow, 'id' | 'recorded_at'>;

/** Entries with one of these are left out; null: none is. */
export interface Excluded {
  readonly actions: readonly string[] | null;
  readonly contentType: string | null;
  readonly ip: string | null;
  readonly userId: string | null;
}

/** With the name of what it is about as its reader may know it; '' where there is none. */
export interface NamedRow extends LogRow {
  readonly object_name: string;
  readonly object_exists: boolean;
}

export interface LogFilter {
  readonly reader: NameReader;
  /** Null: everybody's. */
  readonly userId: string | null;
  /** Null: all. */
  readonly actions: readonly string[] | null;
  readonly from: Date | null;
  /** Not included. */
  readonly until: Date | null;
  readonly contentType: string | null;
  readonly objectId: string | null;
  readonly ip: string | null;
  readonly not: Excluded;
  /** Null: nothing is searched for. */
  readonly search: Search | null;
  readonly withMock: boolean;
}

/** Words that somebody looks for, and what the module itself knows to match them. */
export interface Search {
  readonly words: string;
  readonly actions: readonly string[];
  readonly contentTypes: readonly string[];
  /** Fields and values that are read in the language of the reader. */
  readonly tokens: readonly Token[];
  readonly spans: readonly Span[];
  /** The words as a number is recorded; null: they are no number that is read otherwise. */
  readonly digits: string | null;
}

/** A part of a name. */
export interface NamePattern {
  readonly text: string;
  /** The name begins with it. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/** Words that lie in a sentence around the name of an object. */
export interface Span {
  readonly action: string;
  /** Null: whatever it was set to. */
  readonly to: string | null;
  /** Null: the words are beside the name. */
  readonly pattern: NamePattern | null;
}

/** Who reads, as far as it decides which names they may know. */
export interface NameReader {
  readonly userId: string;
  readonly seesAll: boolean;
  /** Cameras that were granted to them. */
  readonly cameraIds: readonly string[];
}

export interface LogPage extends Page {
  readonly sortBy: 'user' | 'action' | 'ip' | 'timestamp';
  readonly direction: 'asc' | 'desc';
}

/** How far each way to find the matches of a search is followed before another is taken. */
export interface SearchLimits {
  /** Matches that are counted. */
  readonly counted: number;
  /** Entries from the end where reading begins that are compared with the words one by one, 2 to 3 µs each. */
  readonly probed: number;
  /** And so many where the probe promises enough among them. */
  readonly walked: number;
  /** Entries that filters leave, each of which is looked at once, rather than those that each kind of match has. */
  readonly few: number;
  /** Notes, and details, that show how dense matches lie at that end. */
  readonly sampled: number;
  /** And so many are read one after another, where they lie dense enough, before the index of words is asked. */
  readonly read: number;
}

export interface NoteRow {
  readonly entry_id: string;
  readonly user_id: string;
  readonly client_id: string | null;
  /** Null: the words were forgotten. */
  readonly salt: Buffer | null;
  readonly text: string | null;
  /** What is searched in; small letters are made of it here. */
  readonly words: string | null;
}
