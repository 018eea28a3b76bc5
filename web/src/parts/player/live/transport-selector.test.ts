/** Which transport is chosen when, by a clock of the test's own. */
import { expect, test } from 'vitest';
import { FakeClock } from '#testing/fake-recordings.ts';
import { TransportSelector, type LiveTransport } from './transport-selector.ts';

const all: readonly LiveTransport[] = ['mse', 'jpeg'];
const lowLatency: readonly LiveTransport[] = ['webrtc', 'mse', 'jpeg'];

/** A selector, and what it did since it was last asked. */
function selecting(order: readonly LiveTransport[]) {
  const clock = new FakeClock(0);
  let log: string[] = [];
  const hooks = {
    open: (transport: LiveTransport, isTrial: boolean) =>
      void log.push(`${isTrial ? 'try' : 'open'} ${transport}`),
    close: (transport: LiveTransport) => void log.push(`close ${transport}`),
    shown: (transport: LiveTransport) => void log.push(`show ${transport}`),
    gaveWay: (sentence: string | null) => void log.push(`gave way: ${sentence}`),
    waits: (atMs: number, cause: string) =>
      void log.push(`wait ${atMs - clock.now()} for ${cause}`),
    gaveUp: () => void log.push('give up'),
  };
  const selector = new TransportSelector({ order, clock, hooks });
  const done = (): string[] => {
    const said = log;
    log = [];
    return said;
  };
  return { selector, clock, done };
}

/** JPEGs are on the screen, because MSE showed nothing for three seconds. */
async function onJpegs() {
  const one = selecting(all);
  one.selector.start();
  await one.clock.advance(3000);
  one.selector.pictured('jpeg');
  one.done();
  return one;
}

test('the best one is opened, and stays while it plays', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  await clock.advance(2900);
  selector.pictured('mse');
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1000);
    selector.moved('mse');
  }
  expect(done()).toEqual(['open mse', 'show mse']);
});

test('a slow way to the server costs no transport: a picture is due three seconds after it began to send', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  await clock.advance(2900);
  selector.begun('mse');
  await clock.advance(2999);
  expect(done()).toEqual(['open mse']);
  await clock.advance(1);
  expect(done()).toEqual(['close mse', 'open jpeg']);
});

test('no MSE: what the browser cannot play is left out at once, and never tried again', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  selector.failed('mse', 'unplayable');
  selector.pictured('jpeg');
  for (let minute = 0; minute < 120; minute += 1) {
    await clock.advance(5000);
    selector.moved('jpeg');
  }
  expect(done()).toEqual(['open mse', 'close mse', 'open jpeg', 'show jpeg']);
});

test('a browser that plays none of them gets a sentence saying so', () => {
  const { selector, done } = selecting(all);
  selector.start();
  selector.failed('mse', 'unplayable');
  selector.failed('jpeg', 'unplayable');
  expect(done().at(-1)).toBe('give up');
});

test('no WebRTC: low latency gives way with the reason, and is not asked for again', async () => {
  const { selector, clock, done } = selecting(lowLatency);
  selector.start();
  await clock.advance(500);
  selector.failed('webrtc', 'silent', 'No WebRTC.');
  selector.pictured('mse');
  await clock.advance(9000);
  selector.failed('mse', 'lost');
  await clock.advance(5000);
  expect(done()).toEqual([
    'open webrtc',
    'close webrtc',
    'gave way: No WebRTC.',
    'open mse',
    'show mse',
    'close mse',
    'wait 5000 for lost',
    'open mse',
  ]);
});

test('LIVE-011 UDP blocked: WebRTC begins after half a second and has three seconds to show a picture', async () => {
  const { selector, clock, done } = selecting(lowLatency);
  selector.start();
  await clock.advance(499);
  expect(done()).toEqual([]);
  await clock.advance(3000);
  expect(done()).toEqual(['open webrtc']);
  await clock.advance(1);
  expect(done()).toEqual(['close webrtc', 'gave way: null', 'open mse']);
});

test('WebRTC that worked and stands still for five seconds is opened anew', async () => {
  const { selector, clock, done } = selecting(lowLatency);
  selector.start();
  await clock.advance(500);
  selector.pictured('webrtc');
  done();
  await clock.advance(5000);
  expect(done()).toEqual(['close webrtc', 'open webrtc']);
});

test('LIVE-021 socket cut: a picture that was there is waited for by the best transport', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  selector.pictured('mse');
  selector.failed('mse', 'lost');
  await clock.advance(5000);
  expect(done()).toEqual(['open mse', 'show mse', 'close mse', 'wait 5000 for lost', 'open mse']);
});

test('a socket that never opens gives way to JPEGs at once, and when those fail, too, all is tried again', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  selector.failed('mse', 'lost');
  selector.failed('jpeg', 'lost');
  expect(done()).toEqual([
    'open mse',
    'close mse',
    'open jpeg',
    'close jpeg',
    'wait 5000 for lost',
  ]);
  selector.hurry();
  await clock.advance(2999);
  expect(done()).toEqual(['open mse']);
});

test('a refusal of the server is no matter of the transport', () => {
  const { selector, done } = selecting(all);
  selector.start();
  selector.failed('mse', 'refused', 'Too many.');
  expect(done()).toEqual(['open mse', 'close mse', 'wait 5000 for refused']);
});

test('LIVE-022 camera hung: while the server says so nothing is changed for a minute, then the patience runs anew', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  selector.cameraSends(false);
  await clock.advance(50_000);
  selector.cameraSends(true);
  await clock.advance(2999);
  expect(done()).toEqual(['open mse']);
  await clock.advance(1);
  expect(done()).toEqual(['close mse', 'open jpeg']);
});

test('LIVE-022 a picture that stands still for ten seconds is begun again', async () => {
  const { selector, clock, done } = selecting(all);
  selector.start();
  selector.pictured('mse');
  await clock.advance(9999);
  expect(done()).toEqual(['open mse', 'show mse']);
  await clock.advance(1);
  expect(done()).toEqual(['close mse', 'wait 5000 for silent']);
});

test('up again: MSE is tried after ten seconds while the JPEGs stay, and takes over with its first picture', async () => {
  const { selector, clock, done } = await onJpegs();
  await clock.advance(9000);
  selector.moved('jpeg');
  await clock.advance(1000);
  expect(done()).toEqual(['try mse']);
  await clock.advance(1000);
  selector.pictured('mse');
  expect(done()).toEqual(['close jpeg', 'show mse']);
});

test('up again with patience: each failure doubles the pause, to five minutes at most', async () => {
  const { selector, clock, done } = await onJpegs();
  const triedAtMs: number[] = [];
  for (let second = 0; second < 1500; second += 1) {
    await clock.advance(1000);
    selector.moved('jpeg');
    if (done().includes('try mse')) triedAtMs.push(clock.now());
  }
  const pauses = triedAtMs.slice(1).map((atMs, index) => atMs - (triedAtMs[index] ?? 0) - 3000);
  expect(pauses).toEqual([20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
});

test('JPEGs that break during a trial end it, and all begins anew', async () => {
  const { selector, clock, done } = await onJpegs();
  await clock.advance(9000);
  selector.moved('jpeg');
  await clock.advance(1000);
  done();
  selector.failed('jpeg', 'lost');
  expect(done()).toEqual(['close mse', 'close jpeg', 'wait 5000 for lost']);
});

test.each(['mse', 'jpeg'] as const)('a forced choice is kept: %s', async (transport) => {
  const { selector, clock, done } = selecting([transport]);
  selector.start();
  await clock.advance(9999);
  expect(done()).toEqual([`open ${transport}`]);
  await clock.advance(5001);
  expect(done()).toEqual([`close ${transport}`, 'wait 5000 for silent', `open ${transport}`]);
});

test('a stopped selector does nothing more', async () => {
  const { selector, clock, done } = await onJpegs();
  selector.stop();
  await clock.advance(600_000);
  selector.pictured('jpeg');
  selector.failed('jpeg', 'lost');
  expect(done()).toEqual(['close jpeg']);
});
