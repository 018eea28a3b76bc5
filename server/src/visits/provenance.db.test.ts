/** Random histories of visits: each deed changes what its visits say of their name, and nothing of any other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Chance } from '#testing/chance.ts';
import { passersOf, newFace, unlike, type Passers } from '#testing/passers.ts';
import { aPicture, aWorld, type World } from '#testing/world.ts';

const actions = {
  identify: 'face.unknown_identified',
  merge: 'face.unknown_merged',
  split: 'face.unknown_split',
  not_this_person: 'face.not_this_person',
} as const;

type Seen = Map<string, DetailedVisit>;
const isOf = (entry: string) => (one: DetailedVisit) =>
  one.decisions.some((decision) => decision.entry === entry);

class History implements AsyncDisposable {
  readonly world: World;
  readonly chance: Chance;
  readonly users: readonly Scope[];
  readonly people: { id: string; identityId: string; name: string; look: number }[] = [];
  readonly strangers = Array.from({ length: 3 }, newFace);
  readonly visits: string[] = [];
  /** Entries of deeds that were taken back, or of people who were erased. */
  readonly gone = new Set<string>();
  readonly done: Record<string, number> = {};
  readonly #passers: Passers;

  private constructor(world: World, chance: Chance, users: readonly Scope[], gate: string) {
    [this.world, this.chance, this.users] = [world, chance, users];
    this.#passers = passersOf(world, gate);
  }

  static async begin(seed: number): Promise<History> {
    const world = await aWorld();
    const users = [await world.actor('superadmin'), await world.actor('admin')];
    const it = new History(world, new Chance(seed), users, await world.camera(users[0]!));
    for (const name of ['Aysel', 'Bahar', 'Chingiz']) await it.enroll(name);
    return it;
  }

  async enroll(name: string): Promise<void> {
    const look = newFace();
    this.people.push({ ...(await this.world.person(this.users[0]!, name, look)), name, look });
  }

  get user(): Scope {
    return this.chance.pick(this.users);
  }

  async see(): Promise<void> {
    this.world.clock.advance(3_600_000);
    const known = this.chance.percent(50) ? this.chance.pick(this.people) : null;
    const look = known?.look ?? this.chance.pick(this.strangers);
    const picture = this.chance.percent(30) ? unlike(look, 0.3) : aPicture(look);
    const identityId = known?.identityId ?? null;
    const { visit } = await this.#passers.see({
      picture,
      identityId,
      atMs: this.world.clock.now(),
    });
    this.visits.push(visit.id);
  }

  async read(): Promise<Seen> {
    const all: Seen = new Map();
    for (const id of this.visits) {
      all.set(id, await this.world.visits.details.read(this.users[0]!, id));
    }
    return all;
  }

  /** The entry of the log that was written last. */
  async lastEntry(): Promise<{ id: string; action: string; user_id: string }> {
    const { rows } = await sql<{ id: string; action: string; user_id: string }>`
      select id, action, user_id from activity_log order by id desc limit 1`.execute(
      this.world.database.db.read(),
    );
    return rows[0]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

/** Returns the visits that the deed is about, or null where it can't be done now. */
type Deed = (it: History, before: Seen, user: Scope) => Promise<readonly string[] | null>;

const idsOf = (seen: Seen, isWanted: (one: DetailedVisit) => boolean): string[] =>
  [...seen].filter(([, one]) => isWanted(one)).map(([id]) => id);
const strangerIds = (seen: Seen): string[] => [
  ...new Set([...seen.values()].flatMap(({ unknown }) => unknown?.id ?? [])),
];
const ofStranger = (seen: Seen, id: string): string[] =>
  idsOf(seen, ({ unknown }) => unknown?.id === id);

const identify: Deed = async (it, before, user) => {
  const ids = strangerIds(before);
  if (ids.length === 0 || it.people.length === 0) return null;
  const id = it.chance.pick(ids);
  await it.world.visits.unknown.identify(user, id, { face: it.chance.pick(it.people).id });
  return ofStranger(before, id);
};

const merge: Deed = async (it, before, user) => {
  const [one, two] = strangerIds(before);
  if (!one || !two) return null;
  await it.world.visits.unknown.merge(user, one, two);
  return ofStranger(before, two);
};

const split: Deed = async (it, before, user) => {
  const id = strangerIds(before).find((one) => ofStranger(before, one).length > 1);
  if (!id) return null;
  const chosen = [it.chance.pick(ofStranger(before, id))];
  await it.world.visits.unknown.split(user, id, chosen);
  return chosen;
};

const notThisPerson: Deed = async (it, before, user) => {
  const ids = idsOf(before, ({ is_recognized, may_correct }) => is_recognized && may_correct);
  if (ids.length === 0) return null;
  const id = it.chance.pick(ids);
  await it.world.visits.notThisPerson(user, id);
  return [id];
};

const deeds = { identify, merge, split, not_this_person: notThisPerson };
type Kind = keyof typeof deeds;

/** What each visit says of its name, as a reader sees it. */
const nameOf = ({ person_name, is_recognized, confidence, decisions }: DetailedVisit) =>
  JSON.stringify({ person_name, is_recognized, confidence, decisions });
const changed = (before: Seen, after: Seen): string[] =>
  [...before.keys()].filter((id) => nameOf(before.get(id)!) !== nameOf(after.get(id)!));

async function decide(it: History, kind: Kind): Promise<void> {
  const [before, user] = [await it.read(), it.user];
  const about = await deeds[kind](it, before, user).catch(isRefused);
  if (!about) return;
  const entry = await it.lastEntry();
  assert.deepEqual([entry.action, entry.user_id], [actions[kind], user.userId]);
  const after = await it.read();
  assert.deepEqual(changed(before, after).toSorted(), [...about].toSorted(), kind);
  for (const id of about) {
    const said = after.get(id)!.decisions.filter((one) => one.entry === entry.id);
    assert.deepEqual(
      said.map((one) => [one.kind, one.by?.id]),
      [[kind, user.userId]],
    );
  }
  it.done[kind] = (it.done[kind] ?? 0) + 1;
}

/** Takes back the newest correction of a stranger, or what was said of a visit. */
async function undo(it: History): Promise<void> {
  const before = await it.read();
  const [ruled] = idsOf(before, ({ decisions, is_recognized, may_correct }) => {
    const isRuled = decisions.some(({ kind }) => kind === 'not_this_person');
    return isRuled && !is_recognized && may_correct;
  });
  if (ruled !== undefined && it.chance.percent(50)) return undoOf(it, before, ruled);
  for (const row of await corrected(it)) {
    const done = await it.world.visits.unknown
      .undo(it.user, row.id, row.correction)
      .then(() => true, isRefused);
    if (!done) continue;
    const after = await it.read();
    const left = [...after.values()].flatMap(({ decisions }) => decisions.map((one) => one.entry));
    const entries = changed(before, after).flatMap((id) =>
      before.get(id)!.decisions.flatMap((one) => one.entry ?? []),
    );
    const taken = [...new Set(entries)].filter((one) => !left.includes(one));
    // None where no visit is left of whom it was about.
    assert.ok(taken.length <= 1, `${taken.length} decisions went with one undo`);
    const about = taken.flatMap((entry) => idsOf(before, isOf(entry)));
    assert.deepEqual(
      changed(before, after)
        .filter((id) => !isOfThatName(before.get(id)!, after.get(id)!))
        .toSorted(),
      about.toSorted(),
    );
    for (const entry of taken) it.gone.add(entry);
    it.done['undo'] = (it.done['undo'] ?? 0) + 1;
    return;
  }
}

/** A visit that was recognized by the name that an unknown person had for a while: it says whose name that was. */
function isOfThatName(before: DetailedVisit, after: DetailedVisit): boolean {
  const [was, is] = [before.decisions, after.decisions];
  const isRecognition = was.length === 1 && was[0]!.kind === 'recognized';
  return isRecognition && !after.is_recognized && is[0]?.name === before.person_name;
}

async function undoOf(it: History, before: Seen, id: string): Promise<void> {
  const entry = before
    .get(id)!
    .decisions.findLast(({ kind }) => kind === 'not_this_person')!.entry!;
  const done = await it.world.visits.thisPersonAfterAll(it.user, id).then(() => true, isRefused);
  if (!done) return;
  const after = await it.read();
  const back = after.get(id)!;
  assert.ok(back.is_recognized);
  // Visits that became unknown meanwhile are recognized with it, by the photos of whom it shows.
  for (const other of changed(before, after).filter((one) => one !== id)) {
    const { person_id, decisions } = after.get(other)!;
    assert.equal(person_id, back.person_id);
    assert.ok(decisions.some(({ kind }) => kind === 'recognized'));
  }
  it.gone.add(entry);
  it.done['after_all'] = (it.done['after_all'] ?? 0) + 1;
}

async function corrected(it: History): Promise<{ id: string; correction: string }[]> {
  const rows: { id: string; correction: string }[] = [];
  const { rows: all } = await sql<{ id: string }>`
    select distinct identity_id as id from visit order by id`.execute(it.world.database.db.read());
  for (const { id } of all) {
    const row = await it.world.visits.unknown.read(it.users[0]!, id).catch(isRefused);
    if (row?.correction) rows.push({ id, correction: row.correction.id });
  }
  return rows;
}

async function erase(it: History): Promise<void> {
  const person = it.people.length > 2 ? it.people.shift() : undefined;
  if (!person) return;
  const before = await it.read();
  await it.world.faces.remove(it.users[0]!, person.id);
  const after = await it.read();
  for (const one of after.values()) assert.ok(!JSON.stringify(one).includes(person.name));
  for (const id of idsOf(before, ({ person_id }) => person_id === person.id)) {
    const { person_name, decisions } = after.get(id)!;
    assert.equal(person_name, 'Erased person');
    for (const { entry } of before.get(id)!.decisions) {
      if (entry !== null && !decisions.some((one) => one.entry === entry)) it.gone.add(entry);
    }
  }
  it.done['erase'] = (it.done['erase'] ?? 0) + 1;
}

const isRefused = (error: unknown): null => {
  if (!(error instanceof Problem)) throw error;
  return null;
};

/** What holds of every visit at every moment. */
async function check(it: History): Promise<void> {
  for (const one of (await it.read()).values()) {
    const { confidence, is_recognized, decisions } = one;
    const isRecognition = decisions.some(
      ({ kind, name }) => kind === 'recognized' && name === null,
    );
    assert.equal(confidence !== null, isRecognition, 'a confidence is of whom the visit names');
    if (confidence !== null) assert.ok(is_recognized, 'nobody is matched who is unknown');
    const times = decisions.map(({ at }) => at ?? '');
    assert.deepEqual(times, times.toSorted());
    for (const { entry, kind, at } of decisions) {
      const isOfLater = at !== null && at < one.timestamp;
      const isTheirName = kind === 'identify' && confidence === null;
      assert.ok(!isOfLater || isTheirName, `${kind} was said before the visit`);
      assert.ok(entry === null || !it.gone.has(entry), 'what was taken back is not said any more');
    }
    const isErased = one.person_name === 'Erased person';
    if (is_recognized && !isErased) assert.ok(decisions.length > 0, 'a name came from somewhere');
  }
}

/** How often each comes. */
const weights = {
  see: 3,
  identify: 2,
  merge: 2,
  split: 2,
  not_this_person: 2,
  undo: 3,
  erase: 1,
} as const;
type Turn = keyof typeof weights;
const turns = (Object.keys(weights) as Turn[]).flatMap((turn) =>
  Array<Turn>(weights[turn]).fill(turn),
);
const isKind = (turn: Turn): turn is Kind => turn in deeds;

for (const seed of [1, 4]) {
  test(`=ENT-023, NSH-022 what is done to a visit is said by it and by no other, in any order (${seed})`, async () => {
    await using it = await History.begin(seed);
    for (let n = 0; n < 6; n++) await it.see();
    for (let step = 0; step < 36; step++) {
      const turn = it.chance.pick(turns);
      it.world.clock.advance(60_000);
      if (isKind(turn)) await decide(it, turn);
      else if (turn === 'see') await (it.visits.length < 12 ? it.see() : undefined);
      else await (turn === 'undo' ? undo(it) : erase(it));
      await check(it);
    }
    for (const kind of [...Object.keys(deeds), 'undo']) {
      assert.ok((it.done[kind] ?? 0) > 0, `${kind} never happened: ${JSON.stringify(it.done)}`);
    }
  });
}
