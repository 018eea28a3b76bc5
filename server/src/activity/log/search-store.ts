import { sql } from 'kysely';
import { foldedText } from '@nazar/contract/folded-text.ts';
import type { Database } from '#db/database.ts';
import { hasText } from '#db/like.ts';
import { hasPattern } from './name-pattern.ts';
import { type NameStore, type NamedObject } from './name-store.ts';
import type { NamePattern, NameReader, Search, Span } from './rows.ts';

/** The words, and the objects and users whose names contain them. */
export interface Found extends Search {
  readonly userIds: readonly string[];
  readonly objectIds: readonly string[];
  readonly sentences: readonly FoundSentence[];
}

/** Actions whose sentence contains the words across the name of one of these objects. */
export interface FoundSentence extends Span {
  /** Null: any object. */
  readonly objectIds: readonly string[] | null;
}

interface Tables {
  activity_user: { readonly id: string; readonly email: string; readonly name: string };
}

/** A user who types a single letter searches for no one in particular. */
const maxUsers = 1_000;

/** SQL of the words of a search: finds the users and objects whose names contain them. */
export class SearchStore {
  readonly #db: Database;
  readonly #names: NameStore;

  constructor(db: Database, names: NameStore) {
    this.#db = db;
    this.#names = names;
  }

  async find(search: Search, reader: NameReader): Promise<Found> {
    const inside: NamePattern = { text: foldedText(search.words), begins: false, ends: false };
    const patterns = [inside, ...search.spans.flatMap(({ pattern }) => pattern ?? [])];
    const [userIds, objects] = await Promise.all([
      this.#users(search.words),
      this.#names.find(reader, distinct(patterns)),
    ]);
    const sentences = search.spans.map((span) => {
      return { ...span, objectIds: span.pattern && idsWith(objects, span.pattern) };
    });
    return { ...search, userIds, objectIds: idsWith(objects, inside), sentences };
  }

  async #users(words: string): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('activity_user')
      .select('id')
      .where(hasText([sql.ref('name'), sql.ref('email')], words))
      .limit(maxUsers)
      .execute();
    return rows.map(({ id }) => id);
  }
}

const idsWith = (objects: readonly NamedObject[], pattern: NamePattern): string[] =>
  objects.filter((object) => hasPattern(object.folded, pattern)).map(({ id }) => id);

function distinct(patterns: readonly NamePattern[]): NamePattern[] {
  const byText = new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern]));
  return [...byText.values()];
}
