import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { longestVisit } from '../store.ts';

/** A stranger with all who are merged with them, or a person with all who were named as them. */
export type PersonOrStranger = { readonly strangerId: string } | { readonly personId: string };

/** SQL of who was in view of one camera at once. */
export class TogetherStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The identities whose visits are theirs now, in the order of their ids. */
  async identitiesOf(one: PersonOrStranger): Promise<string[]> {
    const is =
      'personId' in one ? sql`person_id = ${one.personId}` : sql`stranger_id = ${one.strangerId}`;
    const { rows } = await sql<{ id: string }>`
      select id from faces_v_identity where ${is} order by id`.execute(this.#db.read());
    return rows.map(({ id }) => id);
  }

  /**
   * Whether visits of these identities overlapped with visits of those others at one camera; `since`: those only that
   * began from then on. Both are read once, in the order in which they began: as each begins, the latest end of the
   * others so far says whether one of them was in view. Pairs are not compared: of two who often come there are
   * millions.
   */
  async overlapped(
    ones: readonly string[],
    others: readonly string[],
    since: Date | null,
  ): Promise<boolean> {
    const visits = (ids: readonly string[], isOther: boolean): RawBuilder<unknown> => sql`
      select camera_id, started_at, ended_at, ${sql.lit(isOther)} as is_other from visit
      where identity_id = any(${ids}::uuid[])
        and started_at >= (select from_at from span) and started_at <= (select until_at from span)
        ${since ? sql`and started_at >= ${since}` : sql``}`;
    const { rows } = await sql<{ overlapped: boolean }>`
      with span as materialized (
        -- Visits before one of them came first, or after one came last, are beside none.
        select greatest(one.first_at, other.first_at) - ${longestVisit} as from_at,
               least(one.last_at, other.last_at) + ${longestVisit} as until_at
        from (${edgesOf(ones)}) as one, (${edgesOf(others)}) as other
      )
      select exists (
        select from (
          select started_at, is_other,
                 max(ended_at) filter (where is_other) over so_far as other_until,
                 max(ended_at) filter (where not is_other) over so_far as one_until
          from (${visits(ones, false)} union all ${visits(others, true)}) as visit
          -- Those that begin at the same moment are beside each other.
          window so_far as (partition by camera_id order by started_at)
        ) as visit
        where case when is_other then one_until else other_until end >= started_at
      ) as overlapped`.execute(this.#db.scan());
    return rows[0]!.overlapped;
  }
}

/** When they came first and last, by the index. */
const edgesOf = (ids: readonly string[]): RawBuilder<unknown> => sql`
  select min(first.started_at) as first_at, max(last.started_at) as last_at
  from unnest(${ids}::uuid[]) as identity (id)
  cross join lateral (
    select started_at from visit where identity_id = identity.id order by started_at limit 1
  ) as first
  cross join lateral (
    select started_at from visit where identity_id = identity.id order by started_at desc limit 1
  ) as last`;
