/** Typing the address of a camera: at a prompt, on standard input, or as a word of the command. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { askCamera } from './address.ts';

const password = 'canary-Pa55';

/** A terminal shows by itself what is typed while it is not in raw mode. */
class Keyboard extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  /** Whether each thing typed was shown by the terminal. */
  readonly wasShown: boolean[] = [];

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  type(keys: string): void {
    this.wasShown.push(!this.isRaw);
    this.write(keys);
  }
}

function terminal(isTerminal: boolean) {
  const [input, output] = [new Keyboard(), new PassThrough()];
  const stop = new AbortController();
  let shown = '';
  const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  output.on('data', (part: Buffer) => {
    shown += part.toString();
    for (const one of waiting.splice(0)) {
      if (shown.includes(one.text)) one.resolve();
      else waiting.push(one);
    }
  });
  const asks = async (text: string): Promise<void> => {
    if (shown.includes(text)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ text, resolve });
    await promise;
  };
  const { signal } = stop;
  const asked = { input, output, isTerminal, signal, interrupted: () => stop.abort() };
  return { asked, input, asks, signal, shown: () => shown };
}

test('~C-604 a password typed at the prompt is not shown', async () => {
  const { asked, input, asks, shown } = terminal(true);
  const camera = askCamera(undefined, asked);
  await asks('Address of the camera: ');
  input.write('rtsp://192.168.1.20/stream\r');
  await asks('User name (Enter: none): ');
  input.write('viewer\r');
  await asks('Password: ');
  // As a terminal delivers it: one key after another, one of them taken back.
  for (const key of `${password}x\u007f\r`) input.write(key);
  assert.deepEqual(await camera, {
    type: 'ip',
    url: 'rtsp://192.168.1.20/stream',
    username: 'viewer',
    password,
  });
  assert.match(shown(), /192\.168\.1\.20/);
  for (let at = 0; at + 4 <= password.length; at++) {
    assert.ok(!shown().includes(password.slice(at, at + 4)), shown());
  }
});

test('~C-604 a password is not shown that is typed as soon as it is asked for, or before', async () => {
  const soon = terminal(true);
  soon.asked.output.on('data', (part: Buffer) => {
    if (part.toString().includes('Password')) soon.input.type(`${password}\r`);
  });
  const camera = askCamera('rtsp://viewer@192.168.1.20/', soon.asked);
  assert.equal((await camera).password, password);
  assert.deepEqual(soon.input.wasShown, [false]);
  assert.equal(soon.input.isRaw, false, 'given back as it was');
  const ahead = terminal(true);
  const pasted = askCamera(undefined, ahead.asked);
  await ahead.asks('Address of the camera: ');
  ahead.input.type(`rtsp://192.168.1.20/\rviewer\r${password}\r`);
  const { username, password: known } = await pasted;
  assert.deepEqual([username, known, ahead.input.wasShown], ['viewer', password, [false]]);
  assert.ok(!ahead.shown().includes('canary'), ahead.shown());
});

test('an address with a user and no password asks for the password alone, one with both for nothing', async () => {
  const some = terminal(true);
  const camera = askCamera('rtsp://viewer@192.168.1.20/', some.asked);
  await some.asks('Password: ');
  some.input.write(`${password}\r`);
  assert.equal((await camera).password, password);
  assert.ok(!some.shown().includes('User name'));
  const all = terminal(true);
  const known = await askCamera('rtsp://viewer:p%40ss@192.168.1.20/', all.asked);
  assert.deepEqual(
    [known.url, known.username, known.password, all.shown()],
    ['rtsp://192.168.1.20/', 'viewer', 'p@ss', ''],
  );
});

test('an address without a user asks for one, and a device for nothing', async () => {
  const none = terminal(true);
  const camera = askCamera(undefined, none.asked);
  await none.asks('Address');
  none.input.write('http://192.168.1.20/\r');
  await none.asks('User name');
  none.input.write('\r');
  assert.deepEqual([(await camera).username, (await camera).password], ['', '']);
  const usb = terminal(true);
  const device = askCamera(undefined, usb.asked);
  await usb.asks('Address');
  usb.input.write('/dev/video0\r');
  assert.deepEqual([(await device).type, (await device).url], ['usb', '/dev/video0']);
});

test('lines of another program are the address and the password', async () => {
  const { asked, input, shown } = terminal(false);
  input.end(`rtsp://viewer@192.168.1.20/\n${password}\n`);
  assert.equal((await askCamera(undefined, asked)).password, password);
  assert.equal(shown(), '');
});

test('nothing, Ctrl-D and Ctrl-C end the question; what is no address of a camera is refused', async () => {
  const empty = terminal(false);
  empty.input.end();
  await assert.rejects(askCamera(undefined, empty.asked), Refusal);
  const left = terminal(true);
  const leaving = assert.rejects(askCamera(undefined, left.asked), Refusal);
  await left.asks('Address');
  left.input.write('\u0004');
  await leaving;
  const cut = terminal(true);
  const cutting = assert.rejects(askCamera('rtsp://viewer@192.168.1.20/', cut.asked));
  await cut.asks('Password');
  cut.input.write('\u0003');
  await cutting;
  assert.ok(cut.signal.aborted);
  for (const address of ['file:///etc/passwd', 'gopher://192.168.1.20/', '192.168.1.20']) {
    await assert.rejects(askCamera(address, terminal(true).asked), Problem, address);
  }
});
