/** Entries of the activity log, sealed one after the other by the key of the installation, and notes of clients. */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { link, origin, type KeptEntry, type Link } from '../../server/src/activity/chain.ts';
import type { Database } from '../../server/src/db/database.ts';
import type { SecretKey } from '../../server/src/lib/secrets.ts';
import { inBulk, step, vacuum, withoutIndexes } from './fill.ts';

export interface DeedsWanted {
  readonly deeds: number;
  /** The key of the activity log's chain. */
  readonly key: SecretKey;
  readonly userIds: readonly string[];
  readonly cameraIds: readonly string[];
  readonly until: Date;
  readonly days: number;
}

const dayMs = 86_400_000;
const batch = 20_000;
/** One of every so many deeds is reported by a client. */
const perNote = 20;
const actions = ['camera.watched', 'face.viewed', 'account.login', 'recording.played'] as const;
/** Every so many deeds one changed a camera: a tenth of what people do. */
const perChange = 10;
const places = ['gate', 'stairs', 'yard', 'lobby', 'garage', 'roof', 'kitchen', 'corridor'];

export async function fillDeeds(db: Database, wanted: DeedsWanted): Promise<void> {
  await step('deeds', () =>
    inBulk(db, (tx) =>
      withoutIndexes(tx, 'audit_entry', () =>
        withoutIndexes(tx, 'activity_note', async () => {
          let last = await headOf(tx);
          for (let first = 0; first < wanted.deeds; first += batch) {
            const numbers = Array.from(
              { length: Math.min(batch, wanted.deeds - first) },
              (_, number) => first + number,
            );
            last = await add(tx, wanted, numbers, last);
          }
        }),
      ),
    ),
  );
  await step('details of deeds', () =>
    inBulk(db, (tx) =>
      withoutIndexes(tx, 'activity_detail', async () => {
        await sql`
          insert into activity_detail (entry_id, user_id, words, tokens, ip, action, content_type, object_id, is_mock)
          select id, user_id, activity_words(details), activity_tokens(details), ip, action,
                 coalesce(object_type, details->>'content_type', 'system'), object_id, is_mock
            from audit_entry where source <> 'client' and details::text <> '{}'
          on conflict do nothing`.execute(tx);
      }),
    ),
  );
  await step('days of deeds', () => sql`select count_activity_days()`.execute(db.write()));
  await vacuum(db, 'audit_entry', 'activity_note', 'activity_detail', 'activity_day');
}

async function headOf(tx: Kysely<unknown>): Promise<Link> {
  const { rows } = await sql<Link>`
    select sequence, mac from audit_entry where sequence is not null
    order by sequence desc limit 1`.execute(tx);
  const [head] = rows;
  return head ? { sequence: head.sequence, mac: head.mac } : origin;
}

/** Spreads over users, addresses and objects, whichever of the deeds are read; the same in each run. */
const spread = (number: number): number => Math.imul(number ^ (number >>> 7), 0x9e3779b1) >>> 8;
const one = <T>(list: readonly T[], place: number): T => list[place % list.length]!;

/** What a note is about: a camera, a person, or nothing in particular, by turns that know nothing of the places. */
function subjectOf(number: number, cameraIds: readonly string[]) {
  const place = spread(number);
  const action = one(['client.view', 'client.search', 'client.export'], place);
  const object_type = one(['camera', null, 'face'], place >>> 3);
  if (object_type === 'camera')
    return { action, object_type, object_id: one(cameraIds, place >>> 6) };
  return { action, object_type, object_id: object_type && `${place % 1_000}` };
}

const textOf = (number: number): string =>
  JSON.stringify({ description: `Looked at the ${places[number % 8]} for round ${number}` });
const saltOf = (number: number): Buffer => createHash('sha256').update(`salt ${number}`).digest();

/** What a camera was changed from and to: another description each time, and its status now and then. */
const changeOf = (number: number): string =>
  JSON.stringify({
    changes: {
      description: { from: `Round ${number - perChange}`, to: `Round ${number}` },
      ...(number % 100 === 1 && { status: { from: 'active', to: 'maintenance' } }),
    },
    fields: number % 100 === 1 ? ['description', 'status'] : ['description'],
  });

function entryOf(
  number: number,
  { deeds, userIds, cameraIds, until, days }: DeedsWanted,
): KeptEntry {
  const at = new Date(until.getTime() - days * dayMs + Math.floor((number / deeds) * days * dayMs));
  const isNote = number % perNote === 0;
  const isChange = number % perChange === 1;
  const digest = isNote
    ? createHash('sha256').update(saltOf(number)).update(textOf(number)).digest('hex')
    : '';
  const time = at.getTime().toString(16).padStart(12, '0');
  const place = spread(number);
  const isOfFace = isChange && (place >>> 5) % 4 === 0;
  const done = {
    action: isChange ? (isOfFace ? 'face.changed' : 'camera.replaced') : one(actions, number),
    object_type: isOfFace ? 'face' : 'camera',
    object_id: one(cameraIds, place >>> 7),
  };
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`,
    recorded_at: at,
    source: isNote ? 'client' : 'request',
    is_mock: false,
    user_id: one(userIds, place >>> 2),
    session_id: null,
    ip: `192.0.2.${place % 190}`,
    user_agent: '',
    ...(isNote ? subjectOf(number, cameraIds) : done),
    details: isNote ? `{"note":"${digest}"}` : isChange ? changeOf(number) : '{}',
  };
}

async function add(
  tx: Kysely<unknown>,
  wanted: DeedsWanted,
  numbers: readonly number[],
  before: Link,
): Promise<Link> {
  const entries = numbers.map((number) => entryOf(number, wanted));
  let last = before;
  const links = entries.map((entry) => (last = link(wanted.key, last, entry)));
  const text = (value: (entry: KeptEntry) => string | null) => entries.map(value);
  await sql`
    insert into audit_entry (id, recorded_at, source, is_mock, user_id, session_id, ip, user_agent, action,
                             object_type, object_id, details, sequence, mac)
    select id, recorded_at, source, false, user_id, null, ip, '', action, object_type, object_id, details::json,
           ${before.sequence}::bigint + place, decode(mac, 'hex')
    from unnest(${text(({ id }) => id)}::uuid[], ${entries.map(({ recorded_at }) => recorded_at.toISOString())}::timestamptz[],
                ${text(({ source }) => source)}::text[], ${text(({ user_id }) => user_id)}::uuid[],
                ${text(({ ip }) => ip)}::text[], ${text(({ action }) => action)}::text[],
                ${text(({ object_type }) => object_type)}::text[], ${text(({ object_id }) => object_id)}::text[],
                ${text(({ details }) => details)}::text[], ${links.map(({ mac }) => mac.toString('hex'))}::text[])
           with ordinality
           as entry (id, recorded_at, source, user_id, ip, action, object_type, object_id, details, mac, place)`.execute(
    tx,
  );
  await addNotes(
    tx,
    entries.filter(({ source }) => source === 'client'),
    numbers.filter((number) => number % perNote === 0),
  );
  return last;
}

async function addNotes(
  tx: Kysely<unknown>,
  entries: readonly KeptEntry[],
  numbers: readonly number[],
): Promise<void> {
  const words = numbers.map((number) => Object.values(JSON.parse(textOf(number)) as object)[0]);
  await sql`
    insert into activity_note (entry_id, user_id, client_id, salt, text, words,
                               ip, action, content_type, object_id, is_mock)
    select id, note.user_id, null, decode(salt, 'hex'), text, lower(words),
           ip, action, content_type, object_id, is_mock
    from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ user_id }) => user_id)}::uuid[],
                ${numbers.map((number) => saltOf(number).toString('hex'))}::text[],
                ${numbers.map(textOf)}::text[], ${words}::text[])
           as note (id, user_id, salt, text, words)
    join activity_entry using (id)`.execute(tx);
}
