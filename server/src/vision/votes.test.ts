import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedPack } from './shipped-pack.ts';
import { voteOf, Votes, type Outcome, type Vote } from './votes.ts';

const rules = { calibration: shippedPack.embedder.calibration, gallerySize: 20 };

/** A vote that is near to `identity`, everybody else far. */
function near(identity: string, distance: number, change: Partial<Vote> = {}): Vote {
  const nearest = [
    { who: identity, identity, distance },
    { who: 'else', identity: 'somebody else', distance: distance + 0.3 },
  ];
  return { quality: 0.6, iod: 40, sharpness: 200, fault: null, coarse: false, nearest, ...change };
}
const stranger = (change: Partial<Vote> = {}): Vote => near('ana', 0.8, change);

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

test('two people nearly as near are not told apart', () => {
  const twins = near('ana', 0.4, {
    nearest: [
      { who: 'ana', identity: 'ana', distance: 0.4 },
      { who: 'eva', identity: 'eva', distance: 0.45 },
    ],
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
    return voteOf({ iod: 40, sharpness: 200, nearest }, { ...rules, calibration });
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

test('nobody enrolled: everybody is unknown', () => {
  const alone = stranger({ nearest: [], quality: 0.85 });
  assert.equal(kind(alone), 'unknown');
});

test('a false friend is outvoted', () => {
  const votes = [near('ana', 0.5), near('ana', 0.5), stranger(), stranger(), stranger()];
  assert.equal(after(votes, true).kind, 'unknown');
});

test('better pictures do not outvote more of them: two near ones of five name nobody', () => {
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
    near('ana', distance, { quality, nearest: [{ who: 'ana', identity, distance }] });
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

test('somebody who stays all day is decided by the latest pictures', () => {
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
