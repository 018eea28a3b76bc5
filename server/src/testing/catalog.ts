/** What PostgreSQL says a schema is, in lines that two databases can be compared by, whatever order they were made in. */
import { newClient, type Target } from '#db/connection.ts';

const here = `relnamespace = 'public'::regnamespace and relname not like 'kysely%'`;

/** Each selects one text a line; indexes and constraints of partitions follow from those of their tables. */
const questions: Readonly<Record<string, string>> = {
  relations: `
    select concat_ws(' ', relname, relkind, relpersistence, reloptions, pg_get_partkeydef(pg_class.oid),
                     pg_get_expr(relpartbound, pg_class.oid), case when relkind = 'v' then pg_get_viewdef(pg_class.oid) end)
      from pg_class where ${here} and relkind in ('r', 'p', 'v', 'm', 'S')`,
  columns: `
    select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
                     attstorage, attcompression, pg_get_expr(adbin, adrelid))
      from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where ${here} and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped`,
  // Columns of indexes count, too: with a target of 0, ANALYZE copies none of their values into the catalog.
  statistics: `
    select concat_ws(' ', relname, attname, attstattarget, attoptions)
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where ${here} and not attisdropped and (attstattarget is not null or attoptions is not null)`,
  constraints: `
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join pg_class on pg_class.oid = conrelid where ${here} and contype <> 'n'`,
  indexes: `
    select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
      from pg_index join pg_class on pg_class.oid = indrelid where ${here}`,
  // However their lines are broken, and whether plain names stand in quotation marks.
  functions: `
    select regexp_replace(regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g'), '"([a-z_]+)"', '\\1', 'g')
      from pg_proc
     where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
  triggers: `
    select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) from pg_trigger
     where not tgisinternal and tgparentid = 0`,
  extensions: 'select extname from pg_extension',
};

/** Lines by what they are about, each list sorted. */
export async function catalogOf(target: Target): Promise<Record<string, string[]>> {
  const client = newClient(target);
  await client.connect();
  try {
    const found: Record<string, string[]> = {};
    for (const [what, question] of Object.entries(questions)) {
      const { rows } = await client.query<[string]>({ text: question, rowMode: 'array' });
      found[what] = rows.map(([line]) => line).sort();
    }
    return found;
  } finally {
    await client.end();
  }
}
