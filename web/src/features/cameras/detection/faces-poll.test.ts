import { expect, test } from 'vitest';
import { aFace } from '#testing/cameras.ts';
import { FakeClock, settled } from '#testing/fake-recordings.ts';
import { FacesPoll } from './faces-poll.ts';

test('LIVE-019, ~CON-002 faces are asked for each second, and no more once it is over', async () => {
  const clock = new FakeClock(0);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.resolve([aFace()]);
  };
  const poll = new FacesPoll({ ask, clock });
  await settled();
  expect([asked, poll.faces.get()]).toEqual([1, [aFace()]]);
  await clock.advance(999);
  expect(asked).toBe(1);
  await clock.advance(1);
  expect(asked).toBe(2);
  await clock.advance(3_000);
  expect(asked).toBe(5);
  poll[Symbol.dispose]();
  await clock.advance(10_000);
  expect([asked, poll.faces.get(), clock.waiting]).toEqual([5, [], 0]);
});

test('~LIVE-019 no person is named whom the last answer did not name; an answer that fails is asked for again', async () => {
  const clock = new FakeClock(0);
  const answers = [
    () => Promise.resolve([aFace()]),
    () => Promise.reject(new Error('no answer')),
    () => Promise.resolve([aFace({ name: 'Samir' })]),
  ];
  const poll = new FacesPoll({ ask: () => answers.shift()!(), clock });
  await settled();
  await clock.advance(1_000);
  expect(poll.faces.get()).toEqual([]);
  await clock.advance(1_000);
  expect(poll.faces.get()).toEqual([aFace({ name: 'Samir' })]);
});

test('~LIVE-019 a server that is slow is asked once at a time', async () => {
  const clock = new FakeClock(0);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  const poll = new FacesPoll({ ask, clock });
  await clock.advance(30_000);
  expect([asked, poll.faces.get()]).toEqual([1, []]);
});
