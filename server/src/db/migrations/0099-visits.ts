import { sql, type Kysely } from 'kysely';

/**
 * Owner: visits. What was named sighting is named visit, as on every screen: tables with their partitions, columns,
 * constraints, indexes, triggers, functions and views. No row is touched. Pictures stay sealed for the places that they
 * were sealed for (`visits/pictures.ts`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const views = await dropViews(db);
  for (const { statement } of await statements(db)) await sql.raw(statement).execute(db);
  await redefine(db);
  for (const { name, definition } of views) {
    await sql.raw(`create view ${renamed(name)} as ${renamed(definition)}`).execute(db);
  }
}

/** Two names and an alias say `visit` already. */
const renamed = (text: string): string =>
  text
    .replaceAll('sighting as visit', 'visit')
    .replaceAll('sighting_pending_visits', 'visit_pending')
    .replaceAll('sighting_quarter_visits', 'visit_quarter_count')
    .replaceAll('sighting', 'visit');

interface View {
  readonly name: string;
  readonly definition: string;
}

/** A view is kept as it was understood, with the old name of what it calls. None reads another one. */
async function dropViews(db: Kysely<unknown>): Promise<readonly View[]> {
  const { rows } = await sql<View>`
    select relname as name, pg_get_viewdef(oid) as definition from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'v' and relname like '%sighting%'
     order by relname`.execute(db);
  for (const { name } of rows) await sql`drop view ${sql.table(name)}`.execute(db);
  return rows;
}

/** What renames each. A constraint with an index takes that name along, and a table its columns. */
async function statements(db: Kysely<unknown>): Promise<readonly { readonly statement: string }[]> {
  const { rows } = await sql<{ statement: string }>`
    with here as (
      select oid, relname, relkind, relispartition from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'i', 'I', 'v')
    )
    select 1 as turn, format('alter table %I rename column %I to %I', relname, attname,
                             replace(attname, 'sighting', 'visit')) as statement
      from pg_attribute join here on here.oid = attrelid
     where relkind in ('r', 'p', 'v') and not relispartition and attnum > 0 and attname like '%sighting%'
    union all
    select 2, format('alter table %I rename constraint %I to %I', relname, conname,
                     replace(conname, 'sighting', 'visit'))
      from pg_constraint join here on here.oid = conrelid
     where conname like '%sighting%' and (contype = 'f' or contype in ('c', 'n') and coninhcount = 0)
    union all
    select 3, format('alter trigger %I on %I rename to %I', tgname, relname,
                     replace(tgname, 'sighting', 'visit'))
      from pg_trigger join here on here.oid = tgrelid
     where tgname like '%sighting%' and not tgisinternal and tgparentid = 0
    union all
    select 4, format('alter function %s rename to %I', pg_proc.oid::regprocedure,
                     case proname when 'sighting_pending_visits' then 'visit_pending'
                                  when 'sighting_quarter_visits' then 'visit_quarter_count'
                                  else replace(proname, 'sighting', 'visit') end)
      from pg_proc where pronamespace = 'public'::regnamespace and proname like '%sighting%'
    union all
    -- PostgreSQL cuts names at 63 letters: of the columns of one index three more fit.
    select 5, format('alter index %I rename to %I', relname,
                     replace(replace(relname, 'sighting', 'visit'), '_delete_idx', '_deleted_a_idx'))
      from here where relkind in ('i', 'I') and relname like '%sighting%'
    union all
    select 6, format('alter table %I rename to %I', relname, replace(relname, 'sighting', 'visit'))
      from here where relkind in ('r', 'p') and relname like '%sighting%'
     order by 1, 2`.execute(db);
  return rows;
}

/** Functions that name any of it. */
async function redefine(db: Kysely<unknown>): Promise<void> {
  // Some of them name others.
  await sql`set local check_function_bodies = off`.execute(db);
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f' and prosrc like '%sighting%'`.execute(
    db,
  );
  for (const { definition } of rows) await sql.raw(renamed(definition)).execute(db);
  await sql`set local check_function_bodies = on`.execute(db);
}
