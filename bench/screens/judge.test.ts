import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { graceMs, silenceMs, untruthOf, type Said } from './judge.ts';
import { Truth, type Known, type Moment } from './truth.ts';

const startMs = new Date(2026, 0, 15, 12).getTime();
const secondMs = 1_000;

const health = (over: Partial<CameraHealth> = {}): CameraHealth => ({
  state: 'live',
  cause: 'none',
  since: new Date(startMs).toISOString(),
  down_since: null,
  retry_at: null,
  width: 320,
  height: 184,
  fps: 25,
  codec: 'h264',
  sound: null,
  timed_by_arrival: false,
  sub: null,
  aligned: null,
  picture: { frozen: null, covered: null },
  ...over,
});

const recorded: Known = {
  health: health(),
  is_recording: true,
  recording_state: 'recording',
  recording_reason: 'continuous',
};
const offline: Known = {
  health: health({ state: 'offline', cause: 'unreachable' }),
  is_recording: false,
  recording_state: 'interrupted',
  recording_reason: 'continuous',
};

/** One moment a second: `at` says what was so in it. */
function truthOf(seconds: number, at: (second: number) => Partial<Moment> & { gate?: Known }) {
  const truth = new Truth();
  for (let second = 0; second <= seconds; second += 1) {
    const { gate = recorded, ...more } = at(second);
    truth.add({
      atMs: startMs + second * secondMs,
      cameras: { Gate: gate },
      silentSinceMs: {},
      isBusy: false,
      ...more,
    });
  }
  return truth;
}

const said = (second: number, text: string, over: Partial<Said> = {}): Said => ({
  screen: 'cards',
  atMs: startMs + second * secondMs,
  camera: 'Gate',
  place: 'state',
  text,
  asOf: null,
  picture: null,
  ...over,
});

const live = 'Live · Recording continuously';
const well = truthOf(60, () => ({}));
const brokenAt = (broken: number) =>
  truthOf(60, (second) => (second < broken ? {} : { gate: offline }));
const awayAt = (away: number) => truthOf(60, (second) => (second < away ? {} : { cameras: null }));

test('a true statement is true', () => assert.equal(untruthOf(said(30, live), well), null));

test('a false statement is untrue, and the judge says how it was', () => {
  const text = "Offline since 12:00: the camera can't be reached";
  assert.match(untruthOf(said(30, text), well) ?? '', /live \(none\) since 12:00/);
});

test('a change may be shown as it was for a moment, and not for longer', () => {
  const truth = brokenAt(20);
  assert.equal(untruthOf(said(20 + graceMs / secondMs - 1, live), truth), null);
  assert.match(untruthOf(said(20 + graceMs / secondMs + 2, live), truth) ?? '', /offline/);
});

test('a camera that has sent nothing for long is not live, whatever the server knows', () => {
  const truth = truthOf(60, () => ({ silentSinceMs: { Gate: startMs } }));
  const allowed = (graceMs + silenceMs) / secondMs;
  assert.equal(untruthOf(said(allowed - 1, live), truth), null);
  assert.equal(untruthOf(said(allowed + 1, live), truth), 'it sent nothing');
});

test('a picture that stands still is not live', () => {
  const old = { picture: { ageMs: 21_000, movesMs: 30_000 } };
  assert.match(untruthOf(said(30, live, old), well) ?? '', /21\.0 s old/);
});

test('no screen and no answer says that a silent camera is recorded', () => {
  const both: Known = { ...offline, is_recording: true, recording_state: 'recording' };
  const text = "Offline: the camera can't be reached · Recording continuously";
  const truth = truthOf(60, () => ({ gate: both }));
  assert.equal(untruthOf(said(30, text), truth), 'it contradicts itself');
});

test('a time of another minute is untrue', () => {
  const text = "Offline since 11:58: the camera can't be reached";
  assert.match(untruthOf(said(30, text), brokenAt(0)) ?? '', /since 12:00/);
});

test('a screen without its server says so, and none says it of one that answers', () => {
  const line = { place: 'line', camera: null } as const;
  const lost = 'Connection lost. Showing data from 12:00:10.';
  const truth = awayAt(10);
  assert.equal(untruthOf(said(12, '', line), truth), null);
  assert.equal(untruthOf(said(30, '', line), truth), 'the server could not be asked');
  assert.equal(untruthOf(said(30, lost, { ...line, asOf: '12:00:10' }), truth), null);
  assert.equal(untruthOf(said(30, lost, line), well), 'the server could be asked');
});

test('without its server what a screen says is of then, if it was so then', () => {
  const truth = awayAt(10);
  assert.equal(untruthOf(said(30, live), truth), 'the server could not be asked');
  assert.equal(untruthOf(said(30, live, { asOf: '12:00:10' }), truth), null);
  assert.notEqual(untruthOf(said(50, live, { asOf: '12:00:40' }), truth), null);
  assert.equal(untruthOf(said(30, `Not known now. At 12:00: ${live}`), truth), null);
  assert.notEqual(
    untruthOf(said(30, 'Not known now. At 12:00: Not set to record now'), truth),
    null,
  );
});

test('an age is compared with the picture', () => {
  const text = 'No new picture for 10 sec';
  const aged = (ageMs: number) => said(30, text, { picture: { ageMs, movesMs: 20_000 } });
  assert.equal(untruthOf(aged(10_900), well), null);
  assert.match(untruthOf(aged(14_000), well) ?? '', /14\.0 s old/);
});

test('a countdown, a badge and a figure are compared with what was known', () => {
  const inMs = (ms: number) => new Date(startMs + ms).toISOString();
  const waits = { ...offline, health: health({ state: 'offline', retry_at: inMs(34_000) }) };
  const truth = truthOf(60, () => ({ gate: waits }));
  assert.equal(untruthOf(said(30, 'Offline. Next try in 4 sec'), truth), null);
  assert.notEqual(untruthOf(said(30, 'Offline. Next try in 9 sec'), truth), null);
  const badge = { place: 'badge' } as const;
  assert.equal(untruthOf(said(30, 'Not Recording', badge), truth), null);
  assert.equal(untruthOf(said(30, 'Recording', badge), truth), 'it was not recorded');
  const figure = { place: 'figure', camera: null } as const;
  assert.equal(untruthOf(said(30, 'Sending video now: 1', figure), well), null);
  assert.equal(untruthOf(said(30, 'Sending video now: 2', figure), well), '1 sent video');
});

test('less is shown only where a device has too much to do', () => {
  const truth = truthOf(60, (second) => ({ isBusy: second > 30 }));
  assert.notEqual(untruthOf(said(20, 'Still picture'), truth), null);
  assert.equal(untruthOf(said(40, 'Still picture'), truth), null);
});
