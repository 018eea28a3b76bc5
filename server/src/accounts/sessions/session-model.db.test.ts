/**
 * Sessions against a model of them: tabs, slow tabs, thieves with and without a cookie, deeds and polls,
 * log-outs, clocks set back and forth, in any order. `NAZAR_TEST_SEQUENCES` says how many (300).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { Activity } from '#activity/activity.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Settings } from '#settings/settings.ts';
import { aClock } from '#testing/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { quietLog } from '#testing/world.ts';
import { Admission } from '../security/admission.ts';
import { SecurityStore } from '../security/store.ts';
import { SessionStore } from './store.ts';
import { TokenStore } from './token-store.ts';
import { Sessions, type Client, type TokenPair } from './sessions.ts';
import { SteadyClock } from './steady-clock.ts';
import { AccountStore } from '../store.ts';

const total = Number(process.env['NAZAR_TEST_SEQUENCES'] ?? 300);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const [accessMs, graceMs, idleMs, touchMs] = [10 * minuteMs, 10_000, 30 * minuteMs, 10_000];

const stopped = aClock();
/** What the machine's clock was set to, against what went by. */
let wallOffsetMs = 0;
const clock = { ...stopped, now: () => stopped.now() + wallOffsetMs };

let database: TestDatabase;
let store: SessionStore;
let sessions: Sessions;
let settings: Settings;

before(async () => {
  database = await testDatabase();
  const { db } = database;
  const users = new AccountStore(db);
  store = new SessionStore(db, users);
  settings = new Settings({ db, activity: new Activity({ db, clock }), clock, log: quietLog });
  const admission = new Admission(settings, new SecurityStore(db));
  sessions = new Sessions({
    store,
    tokens: new TokenStore(db, users),
    time: new SteadyClock(store, clock),
    admission,
    stolen: async () => undefined,
  });
});
after(async () => {
  settings[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

async function aUser(): Promise<string> {
  const id = uuidv7(stopped.now());
  await sql`
    insert into app_user (id, email, first_name, last_name, role, is_staff, is_superuser, is_active,
                          password_hash, created_at)
    values (${id}, ${`${id}@example.org`}, 'A', 'B', 'user', false, false, true, 'x', now())`.execute(
    database.db.write(),
  );
  return id;
}

/** What must be true of one session, in the plainest way. */
interface Model {
  readonly client: Client;
  readonly remember: boolean;
  readonly bornMs: number;
  readonly pairs: {
    readonly tokens: TokenPair;
    readonly bornMs: number;
    readonly untilMs: number;
  }[];
  activeMs: number;
  lives: boolean;
}

const who = fc.constantFrom('script', 'browser', 'remembered');
const whoShows = fc.oneof(
  { weight: 6, arbitrary: fc.constant('owner' as const) },
  fc.constantFrom('without cookie' as const, 'with another cookie' as const),
);
const back = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  fc.nat(3),
);
const waits = [0, 1_000, 9_999, 10_000, 10_001, 4 * minuteMs, 10 * minuteMs, 29 * minuteMs, idleMs];
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('begin' as const), who }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      of: fc.nat(3),
      back,
      by: whoShows,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tabs' as const), of: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('use' as const),
      of: fc.nat(3),
      back,
      isPoll: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(...waits) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set clock' as const),
      ms: fc.constantFrom(-60 * minuteMs, -1_000, 5 * minuteMs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('log out' as const), of: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end all' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** What was seen over all sequences: a test that meets none of it proves nothing. */
const seen = { renewed: 0, repeated: 0, replays: 0, thieves: 0, idle: 0, used: 0 };

let latestMs = 0;
let monotonicMs = 0;

/** Time that only goes on, as it is known at each deed. */
function now(): number {
  latestMs = Math.max(clock.now(), latestMs + stopped.monotonicMs() - monotonicMs);
  monotonicMs = stopped.monotonicMs();
  return latestMs;
}

class Run {
  readonly #userId: string;
  readonly #models: Model[] = [];

  constructor(userId: string) {
    this.#userId = userId;
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'wait') return stopped.advance(one.ms);
    if (one.kind === 'set clock') {
      wallOffsetMs += one.ms;
      return;
    }
    if (one.kind === 'begin') return this.#begin(one.who);
    if (one.kind === 'end all') return this.#endAll();
    const model = this.#models[one.of % Math.max(1, this.#models.length)];
    if (!model) return;
    if (one.kind === 'refresh') await this.#refresh(model, one.back, one.by);
    else if (one.kind === 'tabs') await this.#tabs(model);
    else if (one.kind === 'use') await this.#use(model, one.back, one.isPoll);
    else await this.#logOut(model);
  }

  async #begin(kind: string): Promise<void> {
    if (this.#models.length >= 4) return;
    const isBrowser = kind !== 'script';
    const remember = kind === 'remembered';
    const asked: Client = { isBrowser, cookie: undefined, ip: '127.0.0.1', userAgent: kind };
    const { tokens, cookie } = await store.transaction((tx) =>
      sessions.begin(tx, this.#userId, asked, remember),
    );
    const nowMs = now();
    this.#models.push({
      client: { ...asked, cookie: cookie?.value },
      remember,
      bornMs: nowMs,
      pairs: [{ tokens, bornMs: nowMs, untilMs: nowMs + (remember ? 7 : 1) * dayMs }],
      activeMs: nowMs,
      lives: true,
    });
  }

  #isOver(model: Model, nowMs: number): boolean {
    if (model.lives && nowMs - model.activeMs >= idleMs) {
      model.lives = false;
      seen.idle += 1;
    }
    return !model.lives || nowMs >= model.pairs.at(-1)!.untilMs;
  }

  async #refresh(model: Model, behind: number, by: string): Promise<void> {
    const nowMs = now();
    const newest = model.pairs.length - 1;
    const at = Math.max(0, newest - behind);
    const { tokens } = model.pairs[at]!;
    const cookie = by === 'without cookie' ? undefined : `nzc_${'A'.repeat(43)}`;
    const client = by === 'owner' ? model.client : { ...model.client, cookie };
    const answer = await sessions.refresh(tokens.refresh, client);
    if (!model.lives || nowMs >= model.pairs[at]!.untilMs) return assert.equal(answer, null);
    if (model.client.isBrowser && by !== 'owner') {
      model.lives = false;
      seen.thieves += 1;
      return assert.equal(answer, null, 'a copy without its cookie');
    }
    if (this.#isOver(model, nowMs)) return assert.equal(answer, null, 'nobody was there');
    if (at === newest) {
      assert.ok(answer, 'the newest token is good');
      const untilMs = nowMs + (model.remember ? 7 : 1) * dayMs;
      const endMs = model.bornMs + (model.client.isBrowser ? 30 : 1) * dayMs;
      model.pairs.push({ tokens: answer, bornMs: nowMs, untilMs: Math.min(untilMs, endMs) });
      seen.renewed += 1;
    } else if (at === newest - 1 && nowMs - model.pairs[newest]!.bornMs <= graceMs) {
      assert.deepEqual(answer, model.pairs[newest]!.tokens, 'the other tab’s');
      seen.repeated += 1;
    } else {
      assert.equal(answer, null, 'a replay');
      model.lives = false;
      seen.replays += 1;
    }
  }

  /** Five tabs at the same moment: one pair for all, and no tab thrown out. */
  async #tabs(model: Model): Promise<void> {
    const nowMs = now();
    if (this.#isOver(model, nowMs)) return;
    const { refresh } = model.pairs.at(-1)!.tokens;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sessions.refresh(refresh, model.client)),
    );
    assert.ok(answers[0]);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const untilMs = nowMs + (model.remember ? 7 : 1) * dayMs;
    const endMs = model.bornMs + (model.client.isBrowser ? 30 : 1) * dayMs;
    model.pairs.push({ tokens: answers[0], bornMs: nowMs, untilMs: Math.min(untilMs, endMs) });
    seen.repeated += 4;
  }

  async #use(model: Model, behind: number, isPoll: boolean): Promise<void> {
    const nowMs = now();
    const pair = model.pairs[Math.max(0, model.pairs.length - 1 - behind)]!;
    const used = sessions.find(pair.tokens.access, { ...model.client, isPoll });
    const inTime = nowMs < pair.bornMs + accessMs;
    if (!model.lives || !inTime || this.#isOver(model, nowMs)) {
      return assert.rejects(used, { code: 'not_signed_in' });
    }
    await used;
    seen.used += 1;
    if (!isPoll && nowMs - model.activeMs >= touchMs) model.activeMs = nowMs;
  }

  async #logOut(model: Model): Promise<void> {
    const nowMs = now();
    const { access } = model.pairs.at(-1)!.tokens;
    const isIn = model.lives && nowMs < model.pairs.at(-1)!.bornMs + accessMs;
    if (!isIn || this.#isOver(model, nowMs)) return;
    const { id } = await sessions.find(access, { ...model.client, isPoll: true });
    await store.transaction((tx) => sessions.end(tx, id, 'logout'));
    model.lives = false;
  }

  async #endAll(): Promise<void> {
    await store.transaction((tx) => sessions.endAll(tx, this.#userId, 'revoked'));
    for (const model of this.#models) model.lives = false;
  }
}

test('C-202, C-203, C-204, C-210 no tab is thrown out within the grace, no copy lives beyond it', async (t) => {
  t.diagnostic(`NAZAR_TEST_SEED=${seed} NAZAR_TEST_SEQUENCES=${total}`);
  const sequence = fc.array(step, { minLength: 4, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const run = new Run(await aUser());
      await run.take({ kind: 'begin', who: 'browser' });
      for (const one of steps) await run.take(one);
    }),
    { numRuns: total, seed },
  );
  t.diagnostic(JSON.stringify(seen));
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, what);
});
