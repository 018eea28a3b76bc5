import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { address, asksForKey, packetsOf } from './rtp.ts';

const head = { payloadType: 102, sequence: 7, ssrc: 99, orientationId: 4 };

/** Puts NAL units together as a browser does: RFC 6184, section 5. */
function unitsIn(packets: readonly Buffer[]): Buffer[] {
  const units: Buffer[] = [];
  let open: Buffer[] = [];
  for (const packet of packets) {
    const payload = packet.subarray((packet[0]! & 0x10) === 0 ? 12 : 20);
    if ((payload[0]! & 31) !== 28) units.push(payload);
    else {
      if (payload[1]! & 0x80) open = [Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 31)])];
      open.push(payload.subarray(2));
      if (payload[1]! & 0x40) units.push(Buffer.concat(open));
    }
  }
  return units;
}

const unit = fc
  .tuple(fc.constantFrom(1, 5, 6, 7, 8), fc.uint8Array({ minLength: 1, maxLength: 6_000 }))
  .map(([type, bytes]) => Buffer.from([0x60 | type, ...bytes]));

test('any picture comes out as it went in, in packets that every path takes', () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.boolean(), (units, turned) => {
      const packets = packetsOf(units, 90_000, turned ? 270 : 0);
      assert.deepEqual(unitsIn(packets), units);
      assert.ok(packets.every(({ length }) => length <= 1_200));
      const marked = packets.map((packet) => (packet[1]! & 0x80) !== 0);
      assert.equal(marked.indexOf(true), packets.length - 1, 'the last is marked, and only it');
      assert.ok(packets.every((packet) => packet.readUInt32BE(4) === 90_000));
    }),
  );
});

test('a packet is addressed to one peer after another', () => {
  const [packet] = packetsOf([Buffer.from([0x65, 1, 2])], 1, 90);
  address(packet!, head);
  address(packet!, { ...head, payloadType: 96, sequence: 8, ssrc: 5, orientationId: 9 });
  assert.deepEqual(
    [...packet!],
    [0x90, 0x80 | 96, 0, 8, 0, 0, 0, 1, 0, 0, 0, 5, 0xbe, 0xde, 0, 1, 0x90, 1, 0, 0, 0x65, 1, 2],
  );
});

test('delimiters and padding are not sent', () => {
  const units = [Buffer.from([9, 0x10]), Buffer.from([0x65, 1]), Buffer.from([12, 255])];
  assert.deepEqual(unitsIn(packetsOf(units, 0, 0)), [Buffer.from([0x65, 1])]);
});

test('a request for a key frame is found in whatever RTCP report it comes', () => {
  const report = Buffer.from('81c90001000000aa', 'hex');
  const pli = Buffer.from('81ce0002000000aa000000bb', 'hex');
  const fir = Buffer.from('84ce0004000000aa000000bb000000bb01000000', 'hex');
  const nack = Buffer.from('81cd0003000000aa000000bb00010000', 'hex');
  assert.deepEqual(
    [report, pli, fir, nack, Buffer.concat([report, pli]), Buffer.from('81ce', 'hex')].map(
      asksForKey,
    ),
    [false, true, true, false, true, false],
  );
});
