import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { offHealth, offStream } from '../../protocol/health.ts';
import type { Init } from '../../mp4/remuxer.ts';
import { StreamChoice, type ChosenRecorder } from './stream-choice.ts';

const init = (name: string) => ({ mime: name }) as unknown as Init;
const health = (main: number | null, sub: number | null): CameraHealth => ({
  ...offHealth,
  state: main === null ? 'offline' : 'live',
  height: main,
  sub: { ...offStream, state: sub === null ? 'offline' : 'live', height: sub },
});

/** What the recorder was given, in one line each. */
function aChoice() {
  const got: string[] = [];
  let codec = '';
  const recorder: ChosenRecorder = {
    isWanted: true,
    setCodec: (name) => (codec = name),
    begin: ({ mime }) => got.push(`${mime} ${codec}`),
    push: ({ body }) => got.push(body.toString()),
    end: () => got.push('end'),
    interrupt: (cause) => got.push(cause),
  };
  const choice = new StreamChoice(recorder, (stream) => stream);
  choice.main.setCodec('hevc');
  choice.sub.setCodec('h264');
  const push = (stream: 'main' | 'sub', text: string) =>
    choice[stream].push({ key: text.endsWith('!'), at: 0, wallMs: 0, body: Buffer.from(text) });
  return { choice, got, push };
}

test('another stream is taken at its next key frame; until then the one before goes on', () => {
  const { choice, got, push } = aChoice();
  choice.choose(health(1080, null), 480);
  choice.main.begin(init('main'));
  push('main', 'm1!');
  choice.choose(health(1080, 480), 480);
  assert.deepEqual([choice.main.isWanted, choice.sub.isWanted], [true, true], 'both are copied');
  choice.sub.begin(init('sub'));
  push('sub', 's1');
  push('main', 'm2');
  push('sub', 's2!');
  push('main', 'm3!');
  push('sub', 's3');
  assert.deepEqual([choice.main.isWanted, choice.sub.isWanted], [false, true]);
  choice.main.end();
  assert.deepEqual(got, ['main hevc', 'm1!', 'm2', 'sub h264', 's2!', 's3']);
});

test('the main stream stands in for a sub-stream that is lost, and its outage is no gap meanwhile', () => {
  const { choice, got, push } = aChoice();
  choice.choose(health(1080, 480), 480);
  choice.main.begin(init('main'));
  choice.sub.begin(init('sub'));
  push('sub', 's1!');
  // The main stream goes: what is recorded goes on, and the sub-stream is no worse for it.
  choice.main.end();
  choice.main.interrupt('network');
  assert.equal(choice.choose(health(null, 480), 480), 'sub');
  push('sub', 's2');
  choice.main.begin(init('main again'));
  choice.choose(health(1080, 480), 480);
  choice.sub.end();
  choice.sub.interrupt('camera');
  choice.choose(health(1080, null), 480);
  push('main', 'm1');
  push('main', 'm2!');
  assert.deepEqual(got, ['sub h264', 's1!', 's2', 'end', 'camera', 'main again hevc', 'm2!']);
});

test('an outage of the stream to be recorded is reported while nothing is recorded', () => {
  const { choice, got } = aChoice();
  choice.choose(health(null, null), 2160);
  choice.sub.interrupt('password');
  choice.main.interrupt('network');
  assert.deepEqual(got, ['network']);
});
