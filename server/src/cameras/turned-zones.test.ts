import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { turnBetween, turnBy, type QuarterTurn } from '@nazar/contract/polygon.ts';
import { neverTurned, openTurns, turnsAt, turnsWith, type CameraTurns } from './turned-zones.ts';

/** When the camera itself is turned against its rotation, so that its picture stays upright. */
const times = ['never', 'before', 'at once', 'later'] as const;
type Event =
  | { readonly kind: 'turn'; readonly to: QuarterTurn; readonly camera: (typeof times)[number] }
  | { readonly kind: 'time' | 'save' };

const event = fc.oneof(
  fc.record({
    kind: fc.constant('turn' as const),
    to: fc.constantFrom<QuarterTurn>(0, 90, 180, 270),
    camera: fc.constantFrom(...times),
  }),
  fc.record({ kind: fc.constantFrom('time' as const, 'save' as const) }),
);

/** One camera, and one place of the scene with a mask over it: by how much it is turned in the frame is where it is. */
class Scene {
  rotation: QuarterTurn = 0;
  camera: QuarterTurn = 0;
  drawnAt: QuarterTurn = 0;
  turns: readonly QuarterTurn[] = [0];
  turned: CameraTurns = neverTurned;
  nowMs = 0;
  readonly recorded: { readonly at: Date; readonly place: QuarterTurn }[] = [];
  #later: QuarterTurn[] = [];

  get place(): QuarterTurn {
    return turnBy(this.rotation, this.camera);
  }

  record(): void {
    this.recorded.push({ at: new Date(this.nowMs), place: this.place });
    this.nowMs += 1;
  }

  happen(next: Event): void {
    if (next.kind === 'time') this.#turnCamera(this.#later.splice(0, 1));
    if (next.kind === 'save') {
      this.#turnCamera(this.#later.splice(0));
      this.record();
      [this.drawnAt, this.turns] = [this.place, [0]];
      if (this.turned.untilMs === null) this.turned = { ...this.turned, untilMs: this.nowMs };
    }
    if (next.kind === 'turn' && next.to !== this.rotation) {
      const { ofZones, ofPast } = openTurns(this.rotation, next.to);
      const against = turnBetween(next.to, this.rotation);
      if (next.camera === 'before') this.#turnCamera([against]);
      this.record();
      this.rotation = next.to;
      this.turns = turnsWith(this.turns, ofZones);
      this.turned = { by: turnsWith(this.turned.by, ofPast), untilMs: null };
      if (next.camera === 'at once') this.#turnCamera([against]);
      if (next.camera === 'later') this.#later.push(against);
    }
    this.record();
  }

  #turnCamera(turns: readonly QuarterTurn[]): void {
    for (const by of turns) this.camera = turnBy(this.camera, by);
  }
}

test('C-401 each picture of a turned camera has its mask, wherever and whenever it was turned or confirmed', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const scene = new Scene();
      scene.record();
      for (const next of events) {
        scene.happen(next);
        const places = turnsWith([scene.drawnAt], scene.turns);
        assert.ok(places.includes(scene.place), 'live');
        for (const { at, place } of scene.recorded) {
          assert.ok(turnsWith(places, turnsAt(scene.turned, at)).includes(place), 'recorded');
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a recording after zones were saved hides no more places than are drawn', () => {
  const scene = new Scene();
  scene.happen({ kind: 'turn', to: 180, camera: 'never' });
  assert.deepEqual(
    [scene.turns, scene.turned.by],
    [
      [0, 180],
      [0, 180],
    ],
  );
  scene.happen({ kind: 'save' });
  assert.deepEqual(scene.turns, [0]);
  assert.deepEqual(turnsAt(scene.turned, new Date(scene.nowMs)), [0]);
  assert.deepEqual(turnsAt(scene.turned, new Date(0)), [0, 180]);
});
