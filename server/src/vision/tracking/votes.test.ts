import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { shippedPack } from '../packs/shipped-pack.ts';
import { judge, type Candidate } from './candidates.ts';
import { Votes, type Outcome, type Vote } from './votes.ts';

const rules = { calibration: shippedPack.embedder.calibration };
const gallerySize = 20;
const tier = (...nearest: Candidate[]) => ({ nearest, gallerySize });

const fair = { quality: 0.6, iod: 40, sharpness: 200, fault: null, coarse: false } as const;

/** A vote that is near to `identity` and far from everybody else. */
function near(identity: string, distance: number, change: Partial<Vote> = {}): Vote {
  const nearest = [
    { who: identity, identity, distance },
    { who: 'else', identity: 'somebody else', distance: distance + 0.3 },
  ];
  return { ...fair, tiers: [tier(...nearest)], ...change };
}
const stranger = (change: Partial<Vote> = {}): Vote => near('ana', 0.8, change);

const entry = (who: string, distance: number, same: Partial<Candidate> = {}): Candidate => ({
  who,
  identity: who,
  distance,
  ...same,
});

function after(votes: readonly Vote[], ended = false): Outcome {
  const track = new Votes();
  for (const vote of votes) track.add(vote);
  return track.outcome(rules, ended);
}
const twice = (vote: Vote): string => after([vote, vote], true).kind;
const kind = (...votes: Vote[]): string => after(votes).kind;

test('nothing seen is undecided while the track lives, unusable when it has ended', () => {
  assert.equal(after([]).kind, 'undecided');
  assert.equal(after([], true).kind, 'unusable');
});

test('one excellent picture names, one fair one does not, two fair ones do', () => {
  assert.equal(kind(near('ana', 0.4, { quality: 0.85 })), 'known');
  assert.equal(kind(near('ana', 0.4)), 'undecided');
  assert.equal(kind(near('ana', 0.4), near('ana', 0.45)), 'known');
});

test('the confidence is that of the agreeing pictures', () => {
  const known = after([near('ana', 0.4), near('ana', 0.4), stranger()]);
  assert.ok(known.kind === 'known' && known.identity === 'ana');
  assert.ok(known.confidence > 0.98);
});

test('nothing below the gate is ever named, however near', () => {
  const small = near('ana', 0.1, { fault: 'too_small', quality: 0.9 });
  assert.equal(after([small, small, small], true).kind, 'unusable');
});

test('at the limit there is no name, and barely good faces need to be nearer', () => {
  assert.equal(twice(near('ana', 0.53)), 'known');
  assert.equal(twice(near('ana', 0.54)), 'unknown');
  assert.equal(twice(near('ana', 0.53, { sharpness: 20 })), 'unknown');
  assert.equal(twice(near('ana', 0.49, { sharpness: 20 })), 'known');
});

test('two people nearly as near are not distinguished', () => {
  const twins = near('ana', 0.4, {
    tiers: [tier(entry('ana', 0.4), entry('eva', 0.45))],
  });
  assert.equal(after([twins, twins, twins], true).kind, 'unknown');
});

test('limits and margin are those of the pack', () => {
  const calibration = { ...rules.calibration, openSet: 0.9, strict: 0.8, margin: 0.2 };
  const choice = (first: number, second: number) => {
    const nearest = [first, second].map((distance, i) => ({
      who: `${i}`,
      identity: `${i}`,
      distance,
    }));
    return judge({ iod: 40, sharpness: 200 }, [tier(...nearest)], { ...rules, calibration }).choice;
  };
  assert.equal(choice(0.85, 1.1)?.who, '0');
  assert.equal(choice(0.85, 1), null);
});

test('a stranger is unknown by two pictures, undecided by one fair one', () => {
  assert.equal(kind(stranger()), 'undecided');
  assert.equal(kind(stranger(), stranger()), 'unknown');
  assert.equal(kind(stranger({ quality: 0.85 })), 'unknown');
  assert.equal(after([stranger()], true).kind, 'unknown');
});

test('a track that ends too early to name whom it shows resembles them, unless pictures are against it', () => {
  assert.deepEqual(after([near('ana', 0.4)], true), { kind: 'unknown', resembles: true });
  const against = after([near('ana', 0.4), stranger()], true);
  assert.deepEqual(against, { kind: 'unknown', resembles: true });
  assert.deepEqual(after([stranger()], true), { kind: 'unknown', resembles: false });
  assert.deepEqual(after([near('ana', 0.4), stranger(), stranger()], true), { kind: 'unknown' });
});

test('no one enrolled: everyone is unknown', () => {
  const alone = stranger({ tiers: [], quality: 0.85 });
  assert.equal(kind(alone), 'unknown');
});

test('a false friend is outvoted', () => {
  const votes = [near('ana', 0.5), near('ana', 0.5), stranger(), stranger(), stranger()];
  assert.equal(after(votes, true).kind, 'unknown');
});

test('better pictures do not outvote more of them: two near ones of five name no one', () => {
  const friend = near('ana', 0.53, { quality: 0.78 });
  const other = stranger({ quality: 0.3 });
  assert.equal(kind(friend, friend, other), 'known');
  assert.equal(kind(friend, friend, other, other), 'unknown');
  assert.equal(kind(friend, other, friend, other, other), 'unknown');
});

test('a named track may lose its name and get it back, but never gets another', () => {
  const track = new Votes();
  const add = (...votes: Vote[]): Outcome => {
    for (const vote of votes) track.add(vote);
    return track.outcome(rules, false);
  };
  assert.equal(add(near('ana', 0.4), near('ana', 0.4)).kind, 'known');
  assert.equal(add(stranger(), stranger(), stranger()).kind, 'unknown');
  const back = add(near('ana', 0.4), near('ana', 0.4));
  assert.ok(back.kind === 'known' && back.identity === 'ana');
  const other = add(...Array.from({ length: 30 }, () => near('eva', 0.3)));
  assert.equal(other.kind, 'unknown');
});

test('two identities of one person are one party, and what a track was named as it stays', () => {
  const by = (identity: string, distance: number, quality = 0.6): Vote =>
    near('ana', distance, { quality, tiers: [tier({ who: 'ana', identity, distance })] });
  const track = new Votes();
  const identityNow = (vote: Vote): string | null => {
    track.add(vote);
    const outcome = track.outcome(rules, false);
    return outcome.kind === 'known' ? outcome.identity : null;
  };
  assert.equal(identityNow(by('once unknown', 0.45)), null);
  assert.equal(identityNow(by('enrolled', 0.4, 0.7)), 'enrolled', 'by the better picture');
  assert.equal(identityNow(by('once unknown', 0.3, 0.9)), 'enrolled');
});

test('a person who stays all day is decided by the latest pictures', () => {
  const votes = [
    ...Array.from({ length: 500 }, () => stranger()),
    ...Array.from({ length: 40 }, () => near('ana', 0.4)),
  ];
  assert.equal(after(votes).kind, 'known');
});

test('coarse pictures vote until there is one that is not, whatever their number', () => {
  const coarse = stranger({ coarse: true, quality: 0.2 });
  assert.equal(kind(coarse, coarse), 'unknown');
  assert.equal(kind(coarse, coarse, near('ana', 0.4, { quality: 0.85 }), coarse, coarse), 'known');
  const turned = near('ana', 0.4, { fault: 'turned' });
  assert.equal(kind(coarse, coarse, turned), 'unknown', 'one that says nothing changes nothing');
});

/** One picture, with the people each tier has near, administrators' first. */
const seen = (...tiers: Candidate[][]): Vote => ({
  ...fair,
  tiers: tiers.map((nearest) => tier(...nearest)),
});
const named = (...votes: Vote[]): string | null => {
  const outcome = after(votes, true);
  return outcome.kind === 'known' ? outcome.identity : null;
};

test('two entries of one face are no doubt: the visit is of the one that was enrolled first', () => {
  const both = seen([
    entry('twice', 0.38, { earlier: ['once'] }),
    entry('once', 0.4, { later: ['twice'] }),
  ]);
  const outcome = after([both, both], true);
  assert.ok(outcome.kind === 'known' && outcome.identity === 'once');
  assert.deepEqual(
    outcome,
    after([near('once', 0.4), near('once', 0.4)], true),
    'its own likeness',
  );
});

test('a third person as near is a doubt, whichever of the others is the same face', () => {
  const three = seen([
    entry('once', 0.38, { later: ['twice'] }),
    entry('twice', 0.39, { earlier: ['once'] }),
    entry('sister', 0.41),
  ]);
  assert.equal(named(three, three), null);
});

test('an entry that is not near enough itself gets nothing from another of the same face', () => {
  const both = seen([
    entry('twice', 0.53, { earlier: ['once'] }),
    entry('once', 0.56, { later: ['twice'] }),
  ]);
  assert.equal(named(both, both), 'twice');
});

test('where pictures are clearly nearer now to one entry and now to the other, they count together', () => {
  const first = seen([entry('once', 0.35, { later: ['twice'] }), entry('twice', 0.5)]);
  const second = seen([entry('twice', 0.35, { earlier: ['once'] }), entry('once', 0.5)]);
  assert.equal(named(first, second, first, second), 'once');
  assert.equal(named(second, second, first), 'twice', 'most of them are clearly the other');
  const track = new Votes();
  for (const vote of [second, second]) track.add(vote);
  assert.equal(track.outcome(rules, false).kind, 'known');
  for (const vote of [first, first]) track.add(vote);
  const later = track.outcome(rules, false);
  assert.ok(later.kind === 'known' && later.identity === 'twice', 'a name that was given stays');
});

test('others’ enrolments never stand against an administrator’s entry, however near they are', () => {
  const victim = entry('victim', 0.45);
  const lookalikes = Array.from({ length: 10 }, (_, i) => entry(`fake ${i}`, 0.1 + i / 1000));
  const before = after([seen([victim]), seen([victim])], true);
  const during = after([seen([victim], [], lookalikes), seen([victim], [], lookalikes)], true);
  assert.deepEqual(during, before);
});

test('others’ enrolments name people whom no administrator has, and not where an administrator’s is in doubt', () => {
  const guest = entry('guest', 0.3);
  const far = seen([entry('ana', 0.7)], [], [guest]);
  assert.equal(named(far, far), 'guest');
  const doubt = seen([entry('ana', 0.4), entry('eva', 0.42)], [], [guest]);
  assert.equal(named(doubt, doubt), null);
});

test('an administrator’s entry takes over what another was named as; no one takes it from them', () => {
  const track = new Votes();
  const now = (...votes: Vote[]) => {
    for (const vote of votes) track.add(vote);
    const outcome = track.outcome(rules, false);
    return outcome.kind === 'known' ? outcome.identity : outcome.kind;
  };
  const turned = seen([entry('victim', 0.6)], [], [entry('fake', 0.3)]);
  const facing = seen([entry('victim', 0.4)], [], [entry('fake', 0.2)]);
  assert.equal(now(turned, turned), 'fake');
  assert.equal(now(facing, facing, facing), 'victim');
  assert.equal(now(turned, turned, turned, turned, turned), 'unknown');
});

test('while an administrator’s entry may still be named, no other is', () => {
  const facing = seen([entry('victim', 0.4)], [], [entry('fake', 0.2)]);
  const turned = seen([entry('victim', 0.6)], [], [entry('fake', 0.3)]);
  const track = new Votes();
  for (const vote of [facing, { ...turned, quality: 0.5 }]) track.add(vote);
  assert.equal(track.outcome(rules, false).kind, 'undecided');
});

/** The people one picture is near to in one tier: distances of up to five people, nearest first. */
const someNear = (names: readonly string[]) =>
  fc
    .uniqueArray(
      fc.record({
        who: fc.constantFrom(...names),
        distance: fc.double({ min: 0, max: 0.9, noNaN: true }),
      }),
      { selector: ({ who }) => who, maxLength: names.length },
    )
    .map((some) =>
      some
        .map(({ who, distance }) => entry(who, distance))
        .toSorted((a, b) => a.distance - b.distance),
    );

test('~C-304 whatever others enrol, at every moment a track bears the administrator’s name it would bear without them, as surely', () => {
  const picture = fc.record({
    own: someNear(['ana', 'eva', 'ida']),
    others: fc.tuple(someNear(['fake 1', 'fake 2']), someNear(['fake 3', 'fake 4', 'fake 5'])),
    quality: fc.double({ min: 0.1, max: 1, noNaN: true }),
    sharpness: fc.constantFrom(20, 200),
  });
  fc.assert(
    fc.property(fc.array(picture, { maxLength: 50 }), (pictures) => {
      const [alone, beset] = [new Votes(), new Votes()];
      for (const { own, others, ...measures } of pictures) {
        alone.add({ ...seen(own), ...measures });
        beset.add({ ...seen(own, ...others), ...measures });
        const outcome = alone.outcome(rules, false);
        if (outcome.kind === 'known') assert.deepEqual(beset.outcome(rules, false), outcome);
        else beset.outcome(rules, false);
      }
      const last = alone.outcome(rules, true);
      if (last.kind === 'known') assert.deepEqual(beset.outcome(rules, true), last);
    }),
    { numRuns: 2_000 },
  );
});
