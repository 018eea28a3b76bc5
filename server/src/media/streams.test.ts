/** The parsers of cameras' bytes: split by the network in every way, and with wrong lengths in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rubbish } from '@nazar/e2e/farm/behaviour.ts';
import {
  isLengthFramed,
  parameterSetsOf,
  parameterSetsOfExtradata,
  unitsOf,
} from './codec/h264.ts';
import { MultipartFault, MultipartReader, boundaryOf, sizeOfJpeg } from './sources/multipart.ts';
import { RtspParser } from './sources/rtsp/parser.ts';
import { Timeline } from './codec/timeline.ts';

const reply = Buffer.from(
  'RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 5\r\n\r\n$ody!RTSP/1.0 401 No\r\nCSeq: 2\r\n\r\n',
);
const packet = Buffer.concat([Buffer.from([0x24, 0, 0, 20, 0x80, 96]), Buffer.alloc(18, 0x24)]);
const stream = Buffer.concat([reply, packet, packet, Buffer.from('\r\n'), packet]);

test('RTSP is read the same wherever it is split', () => {
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = new RtspParser();
    assert.ok(reader.push(stream.subarray(0, cut)) && reader.push(stream.subarray(cut)), `${cut}`);
    assert.deepEqual([reader.status, reader.packets], [401, 3], `cut at ${cut}`);
  }
  const slow = new RtspParser();
  for (const byte of stream) assert.ok(slow.push(Buffer.from([byte])));
  assert.equal(slow.packets, 3);
});

test('C-510 the address that an RTSP camera sends its packets from is known', () => {
  const reader = new RtspParser();
  const transport = 'Transport: RTP/AVP;unicast;source=10.0.0.9;server_port=6-7';
  reader.push(Buffer.from(`RTSP/1.0 200 OK\r\n${transport}\r\n\r\n`));
  assert.equal(reader.source, '10.0.0.9');
});

test('C-515 rubbish, endless heads and wrong lengths end an RTSP connection', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const reader = new RtspParser();
    assert.equal(reader.push(rubbish(16 * 1024, seed)), false, `seed ${seed}`);
  }
  const endless = new RtspParser();
  assert.equal(endless.push(Buffer.from(`RTSP/1.0 200 OK\r\n${'X: y\r\n'.repeat(5000)}`)), false);
  const lying = new RtspParser();
  assert.equal(
    lying.push(Buffer.from('RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n')),
    false,
  );
});

const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 100, 0, 200, 3, 0, 0, 0, 0xff, 0xd9,
]);

function partsOf(lengths: boolean, cut: number): Buffer[] {
  const head = lengths ? `Content-Length: ${jpeg.length}\r\n` : '';
  const part = Buffer.concat([
    Buffer.from(`--b\r\nContent-Type: image/jpeg\r\n${head}\r\n`),
    jpeg,
    Buffer.from('\r\n'),
  ]);
  const all = Buffer.concat([part, part, Buffer.from('--b')]);
  const reader = new MultipartReader('b');
  return [...reader.push(all.subarray(0, cut)), ...reader.push(all.subarray(cut))];
}

test('parts come out whole wherever they are split, with lengths and without', () => {
  for (const lengths of [true, false]) {
    for (let cut = 0; cut < 120; cut++) {
      const parts = partsOf(lengths, cut);
      assert.equal(parts.length, 2);
      assert.ok(parts.every((part) => part.subarray(0, jpeg.length).equals(jpeg)));
    }
  }
});

test('C-515 a part without end, a head without end and a huge length are refused', () => {
  const head = Buffer.from('--b\r\n\r\n');
  const without = new MultipartReader('b');
  without.push(head);
  const megabyte = Buffer.alloc(1024 * 1024);
  assert.throws(() => {
    for (let index = 0; index < 10; index++) without.push(megabyte);
  }, MultipartFault);
  assert.throws(() => new MultipartReader('b').push(Buffer.alloc(20_000, 65)), MultipartFault);
  const huge = Buffer.from('--b\r\nContent-Length: 99999999\r\n\r\n');
  assert.throws(() => new MultipartReader('b').push(huge), MultipartFault);
});

test('boundaries as cameras write them', () => {
  assert.equal(boundaryOf('multipart/x-mixed-replace; boundary=frame'), 'frame');
  assert.equal(boundaryOf('multipart/x-mixed-replace;boundary="--my"'), 'my');
  assert.equal(boundaryOf('text/html; boundary=frame'), null);
  assert.equal(boundaryOf(`multipart/x-mixed-replace; boundary=${'x'.repeat(71)}`), null);
});

test('the size of a JPEG is read from its frame header; rubbish has none', () => {
  assert.deepEqual(sizeOfJpeg(jpeg), { width: 200, height: 100 });
  for (let length = 0; length < 10; length++)
    assert.equal(sizeOfJpeg(jpeg.subarray(0, length)), null);
  assert.equal(sizeOfJpeg(rubbish(100)), null);
});

const sps = Buffer.from([0x67, 0x42, 0xc0, 0x1e, 0xd9]);
const pps = Buffer.from([0x68, 0xce, 0x38, 0x80]);
const start = Buffer.from([0, 0, 0, 1]);
const avcC = Buffer.concat([
  Buffer.from([1, 0x42, 0xc0, 0x1e, 0xff, 0xe1, 0, sps.length]),
  sps,
  Buffer.from([1, 0, pps.length]),
  pps,
]);

test('framing is decided by the extradata: a length of 256 to 511 looks like a start code', () => {
  const slice = Buffer.alloc(300, 0x11);
  slice[0] = 0x41;
  const length = Buffer.from([0, 0, 1, 0x2c]); // 300
  const framed = Buffer.concat([length, slice]);
  assert.ok(isLengthFramed(avcC));
  assert.deepEqual(unitsOf(framed, true), [slice]);
  assert.notDeepEqual(unitsOf(framed, false), [slice], 'sniffing would have cut it elsewhere');
});

test('parameter sets are the same whichever way they are carried', () => {
  const annexB = Buffer.concat([start, sps, start, pps]);
  const idr = Buffer.concat([annexB, Buffer.from([0, 0, 1, 0x65, 1, 2, 3])]);
  assert.deepEqual(parameterSetsOf(idr, false), annexB);
  assert.deepEqual(parameterSetsOfExtradata(annexB), annexB);
  assert.deepEqual(parameterSetsOfExtradata(avcC), annexB);
  assert.equal(parameterSetsOf(Buffer.concat([start, sps]), false), null);
  for (let cut = 0; cut < avcC.length; cut++) parameterSetsOfExtradata(avcC.subarray(0, cut));
});

test('times begin at 0 and always grow, whatever the camera sends', () => {
  const line = new Timeline(30);
  const given = [5_000_000, 5_003_000, 5_003_000, 5_000_000, null, 90_000_000_000, 90_000_003_000];
  const decoded = given.map((time) => line.next(time, time).dts);
  assert.equal(decoded[0], 0);
  assert.ok(decoded.slice(1).every((time, index) => time > decoded[index]!));
  assert.ok(decoded.at(-1)! < 90_000, 'a leap of the camera is none of the view');
});

test('pictures that are shown later than they are decoded keep their distance', () => {
  const line = new Timeline(25);
  const [first, second, third] = [
    line.next(7_200, 0),
    line.next(14_400, 3_600),
    line.next(10_800, 7_200),
  ];
  assert.deepEqual([first.pts, second.pts, third.pts], [7_200, 14_400, 10_800]);
  assert.deepEqual([first.dts, second.dts, third.dts], [0, 3_600, 7_200]);
  assert.equal(third.duration, 3_600);
});
