/** Rows of the activity log, and the queries for them. Types only. */
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

/** The position of an entry in the log, which is read from the newest on. */
export type EntryPlace = Pick<LogRow, 'id' | 'recorded_at'>;

/** Entries with one of these are excluded; null: none are. */
export interface Excluded {
  readonly actions: readonly string[] | null;
  readonly contentType: string | null;
  readonly ip: string | null;
  readonly userId: string | null;
}

/** With the name of its object as its reader may know it; '' if there is none. */
export interface NamedRow extends LogRow {
  readonly object_name: string;
  readonly object_exists: boolean;
}

export interface LogFilter {
  readonly reader: NameReader;
  /** Null: of all users. */
  readonly userId: string | null;
  /** Null: all. */
  readonly actions: readonly string[] | null;
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly contentType: string | null;
  readonly objectId: string | null;
  readonly ip: string | null;
  readonly not: Excluded;
  /** Null: no search. */
  readonly search: Search | null;
  readonly withMock: boolean;
}

/** Words that a user searches for, and what the module itself knows to match them. */
export interface Search {
  readonly words: string;
  readonly actions: readonly string[];
  readonly contentTypes: readonly string[];
  /** Fields and values as shown in the reader's language. */
  readonly tokens: readonly Token[];
  readonly spans: readonly Span[];
  /** The words in the form in which a number is recorded; null: they are not a number in another form. */
  readonly digits: string | null;
}

/** A part of a name. */
export interface NamePattern {
  readonly text: string;
  /** The name begins with it. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/** Words that are part of a sentence around the name of an object. */
export interface Span {
  readonly action: string;
  /** Null: any value it was set to. */
  readonly to: string | null;
  /** Null: the words are beside the name. */
  readonly pattern: NamePattern | null;
}

/** The reader, as far as it decides which names they may know. */
export interface NameReader {
  readonly userId: string;
  readonly seesAll: boolean;
  /** Cameras that were granted to the reader. */
  readonly cameraIds: readonly string[];
}

export interface LogPage extends Page {
  readonly sortBy: 'user' | 'action' | 'ip' | 'timestamp';
  readonly direction: 'asc' | 'desc';
}

/** How far each way to find the matches of a search is followed before another one is tried. */
export interface SearchLimits {
  /** Matches that are counted. */
  readonly counted: number;
  /** Entries, from the end where reading begins, that are compared with the words one by one, 2 to 3 µs each. */
  readonly probed: number;
  /** The number if the probe promises enough matches among them. */
  readonly walked: number;
  /** If filters leave at most so many entries, all are compared at once, instead of one reading per kind of match. */
  readonly few: number;
  /** Notes, and details, that are sampled to estimate how dense matches are at that end. */
  readonly sampled: number;
  /** So many are read one after another, where matches are dense enough, before the index of words is used. */
  readonly read: number;
}

export interface NoteRow {
  readonly entry_id: string;
  readonly user_id: string;
  readonly client_id: string | null;
  /** Null: the words were erased. */
  readonly salt: Buffer | null;
  readonly text: string | null;
  /** The text that is searched; it is folded to lower case here. */
  readonly words: string | null;
}
