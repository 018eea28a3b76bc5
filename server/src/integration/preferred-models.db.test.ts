/** Which models an installation begins with, and what an update makes of one that has some. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { ModelsReply } from '@nazar/contract/models.ts';
import { sql } from 'kysely';
import { migrate, migrationNames } from '#db/migrations.ts';
import { testDatabase } from '#testing/database.ts';
import { testServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { sha256 } from '#vision/packs/checksum.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';

const preferredPackId = 'better';
const better = `${preferredPackId}@5`;
const shipped = `${shippedPack.id}@${shippedPack.version}`;
let addedModelsDir: string;

beforeEach(() => {
  addedModelsDir = mkdtempSync(join(tmpdir(), 'nazar-added-'));
});
afterEach(() => rmSync(addedModelsDir, { recursive: true }));

/** The preferred pack as set-up lays it, with files that are not loaded here. */
function lay(content = 'network'): void {
  const place = join(addedModelsDir, preferredPackId);
  mkdirSync(place, { recursive: true });
  const names = Object.keys(shippedPack.files);
  const files = Object.fromEntries(
    names.map((name) => [name, { path: `${name}.onnx`, sha256: sha256('network') }]),
  );
  for (const name of names) writeFileSync(join(place, `${name}.onnx`), content);
  const pack = { ...shippedPack, id: preferredPackId, version: '5', files };
  writeFileSync(join(place, 'pack.json'), JSON.stringify(pack));
}

interface Said {
  readonly serving: string;
  /** What it changed from by itself. */
  readonly previous: string | null;
  readonly awaited: string | null;
}

/** What a start of this version says of its models; in `db`, or on an empty database. */
async function started(more: Parameters<typeof testServer>[0] = {}): Promise<Said> {
  await using server = await testServer({ addedModelsDir, preferredPackId, ...more });
  const admin = await server.signIn('admin', `admin-${Math.random()}@example.org`);
  const read = async (): Promise<ModelsReply> =>
    (await admin.get('/secure-api/system/models/')).json<ModelsReply>();
  await until(async () => (await read()).change === null);
  const { serving, previous, awaited } = await read();
  return {
    serving: `${serving.id}@${serving.version}`,
    previous: previous && `${previous.id}@${previous.version}`,
    awaited,
  };
}

test('a new installation uses the preferred models, and never another', async () => {
  lay();
  assert.deepEqual(await started(), {
    serving: better,
    previous: null,
    awaited: null,
  });
});

test('a new installation without the preferred models uses the shipped ones, and awaits the others', async () => {
  assert.deepEqual(await started(), {
    serving: shipped,
    previous: null,
    awaited: preferredPackId,
  });
});

test('a new installation does not begin with damaged models', async () => {
  lay('half a netw');
  const { serving, previous } = await started();
  assert.deepEqual([serving, previous], [shipped, null]);
});

test('once set-up could download them, an installation that began without changes by itself', async () => {
  await using database = await testDatabase();
  const { db } = database;
  assert.equal((await started({ db })).serving, shipped);
  lay();
  const { serving, previous } = await started({ db });
  assert.deepEqual([serving, previous], [better, shipped]);
});

/** The state after this version's migrations, of what `before` leaves in a database of the version before. */
async function migrated(before: string): Promise<Record<string, unknown> | undefined> {
  await using old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  const last = names[names.indexOf('0064-models-by-themselves') - 1]!;
  await migrate(target, undefined, last);
  await sql.raw(before).execute(db.write());
  await migrate(target);
  const { rows } = await sql<Record<string, unknown>>`
    select serving, is_chosen, is_automatic from model_state`.execute(db.read());
  return rows[0];
}

const chosen = (serving: string) => ({ serving, is_chosen: true, is_automatic: false });
const untouched = { ...chosen(shipped), is_chosen: false };
const aState = (columns: string, values: string): string =>
  `insert into model_state (serving${columns}) values (${values})`;
const cancelled = `insert into audit_entry
  (id, recorded_at, source, is_mock, ip, user_agent, action, details)
  values (gen_random_uuid(), now(), 'request', false, '', '', 'system.model_change_cancelled', '{}')`;
const visit = `with person as (
    insert into identity (id, created_at) values (gen_random_uuid(), now()) returning id)
  insert into sighting_picture (sighting_id, identity_id, chip, pack_id, pack_version, template)
  select gen_random_uuid(), id, '', 'blazeface-dlib', '1', '' from person`;

const olds: Record<string, [string, object | undefined]> = {
  'that never chose may change by itself': [aState('', `'${shipped}'`), untouched],
  'that was never started begins anew': ['select', undefined],
  'whose visits are older than changes of models keeps what they were made by': [visit, untouched],
  'that uses other models chose them': [aState('', `'mine@1'`), chosen('mine@1')],
  'that went back chose': [
    aState(', switched_at', `'${shipped}', now() - interval '1 year'`),
    chosen(shipped),
  ],
  'that is changing chose': [aState(', preparing', `'${shipped}', 'mine@1'`), chosen(shipped)],
  'that cancelled a change chose': [`${aState('', `'${shipped}'`)}; ${cancelled}`, chosen(shipped)],
};
for (const [which, [before, after]] of Object.entries(olds)) {
  test(`an installation ${which}`, async () => {
    assert.deepEqual(await migrated(before), after);
  });
}
