import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aChip, aFace } from '#testing/vision.ts';
import { likeness, coarse } from './likeness.ts';
import type { FaceView } from '../messages.ts';
import { Tracker, type Update } from './tracker.ts';

/** One face of a trace: where it is, and who it looks like (which chip it has). */
interface Face extends Partial<FaceView> {
  readonly x: number;
  readonly y?: number;
  readonly size?: number;
  readonly look?: number;
}

/** Replays hand-written detections, `stepMs` apart. */
class Replay {
  readonly tracker = new Tracker({ split: 0.55 });
  #at = 1_000;

  /** `isCoarse`: the pictures are from a sub-stream whose main stream shows more. */
  show(
    faces: readonly Face[],
    { stepMs = 200, cut = false, isCoarse = false, mayUseMainStream = false } = {},
  ): Update {
    this.#at += stepMs;
    const views = faces.map(({ x, y = 100, size = 80, look: _look, ...rest }, chip) =>
      aFace({ box: { x, y, width: size, height: size }, chip, ...rest }),
    );
    const chips = Buffer.concat(faces.map(({ look = 0 }) => aChip(look)));
    return this.tracker.update({
      at: this.#at,
      cut,
      faces: views,
      chips,
      isCoarse: () => isCoarse,
      mayUseMainStream: (_track, doubt) => mayUseMainStream && doubt,
    });
  }

  /** Shows one face and answers what it asks for with `vector`. */
  answer(face: Face, vector: Float32Array, options = {}) {
    const update = this.show([face], options);
    const joined = update.embed.map(({ track, shot }) =>
      this.tracker.embedded(track, shot.id, vector),
    );
    return { update, joined };
  }
}

const ana = Float32Array.of(1, 0, 0);
const eva = Float32Array.of(0, 1, 0);
const ids = ({ tracks }: Update): number[] => tracks.map(({ id }) => id);

test('two people who walk past each other stay two tracks with their own numbers', () => {
  const replay = new Replay();
  const seen: number[][] = [];
  for (let i = 0; i <= 10; i++) {
    const update = replay.show([
      { x: 100 + i * 40, y: 100, look: 1 },
      { x: 500 - i * 40, y: 190, look: 2 },
    ]);
    seen.push(ids(update));
    const [first, second] = update.tracks;
    assert.equal(first!.box.y, 100);
    assert.equal(second!.box.y, 190);
  }
  assert.ok(seen.every((pair) => pair.join() === '1,2'));
});

test('two people who meet and turn back keep their numbers, though their speed says they went on', () => {
  const replay = new Replay();
  for (const distance of [400, 320, 240, 160, 80, 30, 80, 160, 240, 320]) {
    const { tracks } = replay.show([
      { x: 300 - distance / 2, look: 1 },
      { x: 300 + distance / 2, look: 2 },
    ]);
    const whose = tracks.map(({ id, box }) => (box.x < 300 ? 'left' : 'right') + id);
    assert.deepEqual(whose.toSorted(), ['left1', 'right2'], `${distance} px apart`);
  }
});

test('a face that suddenly looks different is still followed when no one else is there', () => {
  const replay = new Replay();
  assert.deepEqual(ids(replay.show([{ x: 100, look: 1 }])), [1]);
  const [track] = replay.show([{ x: 104, look: 2 }]).tracks;
  assert.deepEqual([track?.id, track?.doubt], [1, true]);
});

test('a face that moves faster than its own size is still followed once its speed is known', () => {
  const replay = new Replay();
  const steps = [0, 60, 150, 250, 350, 450];
  const last = steps.map((x) => ids(replay.show([{ x }]))).at(-1);
  assert.deepEqual(last, [1]);
});

test('a walking face that one detection in three finds keeps its number, another face there does not get it', () => {
  const replay = new Replay();
  const seen: number[][] = [];
  for (let i = 0; i < 4; i++) {
    seen.push(ids(replay.show([{ x: 100 + i * 126, size: 90, look: 1 }])));
    replay.show([]);
    replay.show([]);
  }
  assert.deepEqual(seen, [[1], [1], [1], [1]]);
  const other = new Replay();
  other.show([{ x: 100, size: 90, look: 1 }]);
  other.show([]);
  other.show([]);
  assert.deepEqual(ids(other.show([{ x: 226, size: 90, look: 2.5 }])), [1, 2]);
});

test('a face that is further off than a person walks, or of another size, is another person', () => {
  for (const face of [
    { x: 700, size: 90 },
    { x: 226, size: 40 },
  ]) {
    const replay = new Replay();
    replay.show([{ x: 100, size: 90, look: 1 }]);
    replay.show([]);
    assert.deepEqual(ids(replay.show([{ ...face, look: 1 }])), [1, 2], `${face.x} ${face.size}`);
  }
});

test('hidden for a second is the same track, for two seconds another', () => {
  const replay = new Replay();
  replay.show([{ x: 100 }]);
  const hidden = replay.show([], { stepMs: 500 });
  assert.equal(hidden.tracks[0]!.state, 'lost');
  assert.deepEqual(ids(replay.show([{ x: 100 }], { stepMs: 500 })), [1]);
  const gone = replay.show([], { stepMs: 1_600 });
  assert.equal(gone.ended[0]!.reason, 'gone');
  assert.deepEqual(ids(replay.show([{ x: 100 }])), [2]);
});

test('a doubtful detection carries a track on but begins none', () => {
  const replay = new Replay();
  assert.deepEqual(ids(replay.show([{ x: 100, score: 0.4 }])), []);
  replay.show([{ x: 100 }]);
  const update = replay.show([{ x: 104, score: 0.35 }]);
  assert.equal(update.tracks[0]!.state, 'seen');
});

test('a cut from a known face to a stranger at the same place does not carry the track over', () => {
  const replay = new Replay();
  replay.answer({ x: 100, look: 1 }, ana);
  const { ended, tracks } = replay.show([{ x: 100, look: 2 }], { cut: true });
  assert.equal(ended[0]!.reason, 'cut');
  assert.deepEqual([...ended[0]!.template!], [...ana]);
  assert.deepEqual([tracks[0]!.id, tracks[0]!.shots.length], [2, 1]);
});

test('an unnoticed cut: the new face is doubted at once, embedded, and split off', () => {
  const replay = new Replay();
  replay.answer({ x: 100, look: 1 }, ana);
  replay.answer({ x: 100, look: 1 }, ana, { stepMs: 2_100 });
  const { update, joined } = replay.answer({ x: 100, look: 2.5 }, eva, { stepMs: 500 });
  assert.equal(update.tracks[0]!.doubt, true, 'no name may be shown');
  assert.equal(update.embed.length, 1, 'embedded at once, not after two seconds');
  const [replaced] = joined;
  assert.ok(replaced?.kind === 'replaced');
  assert.equal(replaced.ended.reason, 'replaced');
  assert.equal(replaced.ended.endedAt, 3_300, 'when Ana was last proven');
  assert.ok(
    replaced.ended.shots.every(({ at }) => at <= 3_300),
    'no picture of Eva with Ana',
  );
  const [next] = replay.show([{ x: 100, look: 2.5 }]).tracks;
  assert.equal(next!.id, replaced.track);
  assert.equal(next!.doubt, false);
});

test('a replaced track keeps its pictures up to the change, whatever came after', () => {
  const replay = new Replay();
  replay.answer({ x: 100, look: 1, quality: 0.5 }, ana);
  for (let i = 0; i < 8; i++) replay.answer({ x: 100, look: 1, quality: 0.55 }, ana);
  const { joined } = replay.answer({ x: 100, look: 2.5, quality: 0.9 }, eva, { stepMs: 450 });
  const [replaced] = joined;
  assert.ok(replaced?.kind === 'replaced');
  assert.equal(replaced.ended.endedAt, 2_800, 'the last picture before the change');
  assert.equal(replaced.ended.shots.length, 5);
  assert.ok(replaced.ended.shots.every(({ view }) => view.quality < 0.6));
  const [next] = replay.show([{ x: 100, look: 2.5 }]).tracks;
  assert.equal(next!.startedAt, 3_250, 'when the face changed');
});

test('a change that no picture showed is noticed by the vector alone', () => {
  const replay = new Replay();
  for (let i = 0; i < 10; i++) replay.answer({ x: 100, look: 1 }, ana);
  const { joined } = replay.answer({ x: 100, look: 1 }, eva, { stepMs: 2_100 });
  const [replaced] = joined;
  assert.ok(replaced?.kind === 'replaced');
  assert.ok(replaced.ended.endedAt < 3_000 && replaced.ended.shots.length > 0);
});

test('a coarse picture that shows another person is doubted first, and detected in the main stream', () => {
  const coarse = { isCoarse: true, mayUseMainStream: true };
  const replay = new Replay();
  for (let i = 0; i < 4; i++) replay.answer({ x: 100, look: 1 }, ana, { stepMs: 500 });
  const { joined } = replay.answer({ x: 100, look: 1 }, eva, { ...coarse, stepMs: 2_100 });
  assert.deepEqual(joined, [{ kind: 'doubted' }]);
  const { tracks, embed } = replay.show([{ x: 100, look: 1 }], { ...coarse, stepMs: 500 });
  assert.deepEqual([tracks[0]?.id, tracks[0]?.doubt, embed[0]?.fromMainStream], [1, true, true]);
  const [{ track, shot }] = embed as [(typeof embed)[0]];
  const improved = replay.tracker.improve(track, shot.id, {
    view: aFace(),
    chip: aChip(1),
    place: null,
  });
  assert.equal(improved?.coarse, false);
  assert.deepEqual(replay.tracker.embedded(track, shot.id, ana), { kind: 'joined' });
  const after = replay.show([{ x: 100, look: 1 }], coarse);
  assert.deepEqual([ids(after), after.tracks[0]?.doubt], [[1], false], 'it was them after all');
});

test('two coarse pictures that show another person are another track', () => {
  const coarse = { isCoarse: true };
  const replay = new Replay();
  for (let i = 0; i < 4; i++) replay.answer({ x: 100, look: 1 }, ana, { stepMs: 500 });
  replay.answer({ x: 100, look: 1 }, eva, { ...coarse, stepMs: 2_100 });
  const { joined } = replay.answer({ x: 100, look: 1 }, eva, { ...coarse, stepMs: 500 });
  assert.equal(joined[0]?.kind, 'replaced');
});

test('a doubt that a vector dispels leaves the track as it was', () => {
  const replay = new Replay();
  replay.answer({ x: 100, look: 1 }, ana);
  const { joined } = replay.answer({ x: 100, look: 2.5 }, ana, { stepMs: 500 });
  assert.deepEqual(joined, [{ kind: 'joined' }]);
  const update = replay.show([{ x: 100, look: 2.5 }]);
  assert.deepEqual([ids(update), update.tracks[0]!.doubt], [[1], false]);
});

test('the first good picture is embedded at once, two more soon, then better ones and one each 2 s', () => {
  const replay = new Replay();
  const embeds = (face: Partial<Face>, stepMs = 200): number =>
    replay.answer({ x: 100, ...face }, ana, { stepMs }).joined.length;
  assert.equal(embeds({ quality: 0.2, fault: 'too_small' }), 0, 'not below the gate');
  assert.equal(embeds({ quality: 0.5 }), 1);
  const soon = [1, 2, 3, 4].map(() => embeds({ quality: 0.5 }));
  assert.deepEqual(soon, [0, 1, 0, 1], 'each 400 ms until a fair face can be named');
  assert.equal(embeds({ quality: 0.55 }), 0, 'not better by 15 %');
  assert.equal(embeds({ quality: 0.6 }), 1);
  assert.equal(embeds({ quality: 0.5 }, 1_000), 0);
  assert.equal(embeds({ quality: 0.5 }, 1_000), 1, 'two seconds later');
});

test('one question at a time; one that failed or was never answered is asked again', () => {
  const replay = new Replay();
  const [first] = replay.show([{ x: 100, quality: 0.4 }]).embed;
  assert.equal(replay.show([{ x: 100, quality: 0.9 }]).embed.length, 0, 'the first is under way');
  replay.tracker.failed(first!.track, first!.shot.id);
  assert.equal(replay.show([{ x: 100, quality: 0.9 }]).embed.length, 1);
  let asked = 0;
  for (let i = 0; i < 20; i++) asked += replay.show([{ x: 100, quality: 0.9 }]).embed.length;
  assert.equal(asked, 1, 'after three seconds without an answer');
});

test('the five best pictures are kept, those without a fault first', () => {
  const replay = new Replay();
  const qualities = [0.3, 0.9, 0.5, 0.4, 0.8, 0.7, 0.6];
  let update: Update | null = null;
  for (const quality of qualities) update = replay.show([{ x: 100, quality }]);
  update = replay.show([{ x: 100, quality: 0.95, fault: 'blurred' }]);
  assert.deepEqual(
    update.tracks[0]!.shots.map(({ view }) => view.quality),
    [0.9, 0.8, 0.7, 0.6, 0.5],
  );
});

test('a vector that comes after its track has ended is late, not another person’s', () => {
  const replay = new Replay();
  const [asked] = replay.show([{ x: 100 }]).embed;
  replay.show([{ x: 100 }], { cut: true });
  assert.deepEqual(replay.tracker.embedded(asked!.track, asked!.shot.id, ana), { kind: 'late' });
});

test('media time that goes back (a looping film) ends all tracks', () => {
  const replay = new Replay();
  replay.show([{ x: 100 }]);
  const { ended, tracks } = replay.show([{ x: 100 }], { stepMs: -1_000 });
  assert.equal(ended.length, 1);
  assert.equal(tracks[0]!.id, 2);
});

test('when the camera stops everything ends', () => {
  const replay = new Replay();
  replay.show([{ x: 100 }, { x: 400 }]);
  assert.equal(replay.tracker.close().length, 2);
  assert.deepEqual(ids(replay.show([])), []);
});

test('likeness: a chip is like itself when darker, and unlike another', () => {
  const one = aChip(1);
  const darker = Buffer.from(one.map((value) => value * 0.6));
  assert.ok(likeness(coarse(one), coarse(darker)) > 0.99);
  assert.ok(likeness(coarse(one), coarse(aChip(2.5))) < 0.5);
  assert.equal(likeness(coarse(one), coarse(Buffer.alloc(one.length, 128))), 0);
});
