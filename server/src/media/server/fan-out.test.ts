import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '#lib/clock.ts';
import { FanOut, type Viewer } from './fan-out.ts';
import type { LiveFragment, LiveInit } from '../protocol/messages.ts';

class HandClock implements Clock {
  ms = 0;
  now = (): number => this.ms;
  monotonicMs = (): number => this.ms;
  wait = (): Promise<void> => Promise.resolve();
}

/** Takes only what `take` says. */
class FakeViewer implements Viewer {
  readonly got: string[] = [];
  queued = 0;
  greedy = true;
  closed: string | null = null;
  text(json: string): void {
    this.got.push((JSON.parse(json) as { kind: string }).kind);
    this.#queue(json.length);
  }
  binary(bytes: Uint8Array): void {
    this.got.push(`${bytes[0]}`);
    this.#queue(bytes.length);
  }
  queuedBytes(): number {
    return this.queued;
  }
  close(reason: string): void {
    this.closed = reason;
  }
  #queue(bytes: number): void {
    if (!this.greedy) this.queued += bytes;
  }
}

const from = { cameraId: 'a', stream: 'main' } as const;
const live: LiveInit = { kind: 'live', ...from, mime: 'm', width: 1, height: 1 };
const fragment = (key: boolean): LiveFragment => ({
  kind: 'fragment',
  ...from,
  key,
  at: 0,
  wallMs: 0,
});
const bytes = (first: number, size = 1): Uint8Array => new Uint8Array(size).fill(first);

function started(): { clock: HandClock; fan: FanOut } {
  const clock = new HandClock();
  const fan = new FanOut(clock);
  fan.init(live, bytes(100));
  fan.fragment(fragment(true), bytes(1));
  fan.fragment(fragment(false), bytes(2));
  return { clock, fan };
}

test('a viewer begins with the stream, its head and the pictures since the key frame', () => {
  const { fan } = started();
  const viewer = new FakeViewer();
  fan.join(viewer);
  assert.deepEqual(viewer.got, ['stream', '100', '1', '2']);
  fan.fragment(fragment(false), bytes(3));
  assert.deepEqual(viewer.got.slice(4), ['3']);
});

test('R-10 a viewer behind by more than 2 MB skips to a key frame; the others do not notice', () => {
  const { clock, fan } = started();
  const slow = new FakeViewer();
  const good = new FakeViewer();
  slow.greedy = false;
  fan.join(slow);
  fan.join(good);
  fan.fragment(fragment(false), bytes(3, 3_000_000));
  const before = slow.got.length;
  fan.fragment(fragment(false), bytes(4));
  fan.fragment(fragment(true), bytes(5));
  assert.equal(slow.got.length, before, 'nothing more is queued');
  slow.queued = 0;
  clock.ms += 100;
  fan.fragment(fragment(false), bytes(6));
  fan.fragment(fragment(true), bytes(7));
  assert.deepEqual(slow.got.slice(before), ['7']);
  assert.deepEqual(good.got.slice(4), ['3', '4', '5', '6', '7']);
});

test('R-10 a viewer behind by more than a second skips too, however few bytes it is', () => {
  const { clock, fan } = started();
  const slow = new FakeViewer();
  slow.greedy = false;
  fan.join(slow);
  const before = slow.got.length;
  clock.ms += 1_001;
  fan.fragment(fragment(false), bytes(3));
  assert.equal(slow.got.length, before);
});

test('R-10 a viewer that takes nothing for 30 s is disconnected; one that takes a little is not', () => {
  const { clock, fan } = started();
  const stalled = new FakeViewer();
  const trickle = new FakeViewer();
  stalled.greedy = trickle.greedy = false;
  fan.join(stalled);
  fan.join(trickle);
  for (let second = 0; second < 31; second++) {
    clock.ms += 1_000;
    trickle.queued = Math.max(1, trickle.queued - 1);
    fan.fragment(fragment(second % 2 === 0), bytes(9, 50));
  }
  assert.equal(stalled.closed, 'stalled');
  assert.equal(trickle.closed, null);
  assert.equal(fan.viewers, 1);
});

test('boxes go to viewers that get the pictures, not to those that skip them', () => {
  const { fan } = started();
  const slow = new FakeViewer();
  const good = new FakeViewer();
  slow.greedy = false;
  fan.join(slow);
  fan.join(good);
  fan.fragment(fragment(false), bytes(3, 3_000_000));
  fan.fragment(fragment(false), bytes(4));
  fan.announce({ kind: 'faces', at: 1, faces: [] });
  assert.equal(good.got.at(-1), 'faces');
  assert.notEqual(slow.got.at(-1), 'faces');
});

test('a viewer whose pictures come another way gets the messages, and does not count', () => {
  const { fan } = started();
  const listener = new FakeViewer();
  fan.join(listener, { pictures: false });
  assert.equal(fan.viewers, 0);
  fan.fragment(fragment(true), bytes(3));
  fan.announce({ kind: 'faces', at: 0, faces: [] });
  fan.init(live, bytes(100));
  fan.end('camera');
  assert.deepEqual(listener.got, ['faces', 'end']);
});

test('every viewer gets the end, with its reason', () => {
  const { fan } = started();
  const viewer = new FakeViewer();
  fan.join(viewer);
  fan.end('camera');
  assert.equal(viewer.got.at(-1), 'end');
  assert.equal(viewer.closed, 'camera');
  assert.equal(fan.viewers, 0);
});

test('after the host is lost a viewer waits for the new stream', () => {
  const { fan } = started();
  fan.lose();
  const viewer = new FakeViewer();
  fan.join(viewer);
  assert.deepEqual(viewer.got, []);
  fan.init(live, bytes(101));
  fan.fragment(fragment(false), bytes(1));
  fan.fragment(fragment(true), bytes(2));
  assert.deepEqual(viewer.got, ['stream', '101', '2']);
});
