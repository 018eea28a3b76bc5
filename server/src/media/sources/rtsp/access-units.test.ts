/** Pictures are put together from packets unchanged, whatever way the camera sends them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { unitsOf } from '@nazar/e2e/farm/rtp.ts';
import { codedUnits } from '#testing/coded-film.ts';
import { packetsOf } from '#testing/hostile-media/rtp-pictures.ts';
import { AccessUnits, type ArrivedPicture } from './access-units.ts';
import { rtpOf, type RtpPacket } from './rtp.ts';
import { h264Depacketizer, h265Depacketizer } from './depacketizer.ts';

const shape = { ...smallFilm, pictures: 12, gop: 4 };
const codings = { h264: h264Depacketizer, hevc: h265Depacketizer } as const;
const films = {
  h264: await codedUnits({ codec: 'h264', bFrames: 0, shape, bitsPerSecond: 1_500_000 }),
  hevc: await codedUnits({ codec: 'hevc', bFrames: 0, shape, bitsPerSecond: 1_500_000 }),
};
type Codec = keyof typeof codings;

/** The packets as they are sent, one list for each picture, in one sequence that wraps. */
function sent(codec: Codec): RtpPacket[][] {
  let sequence = 65_530;
  return films[codec].map((picture, index) =>
    packetsOf(picture, index, codec).map((framed) => {
      const packet = rtpOf(framed.subarray(4));
      assert.ok(packet);
      return { ...packet, sequence: sequence++ & 0xffff };
    }),
  );
}

function read(codec: Codec, packets: readonly RtpPacket[]): ArrivedPicture[] {
  const accessUnits = new AccessUnits(codings[codec]);
  return packets.flatMap((packet) => accessUnits.take(packet));
}

const withStartCodes = (picture: Buffer): Buffer =>
  Buffer.concat(unitsOf(picture).flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));

for (const codec of ['h264', 'hevc'] as const) {
  const whole = films[codec].map(withStartCodes);

  test(`${codec}: pictures come out as they were, each with its last packet`, () => {
    const accessUnits = new AccessUnits(codings[codec]);
    for (const [index, packets] of sent(codec).entries()) {
      const pictures = packets.flatMap((packet) => accessUnits.take(packet));
      assert.deepEqual(
        pictures.map(({ data, key }) => [data.equals(whole[index]!), key]),
        [[true, index % shape.gop === 0]],
      );
    }
  });

  test(`${codec}: pictures of a camera without marker bits are distinguished by their times`, () => {
    const unmarked = sent(codec)
      .flat()
      .map((packet) => ({ ...packet, marker: false }));
    const pictures = read(codec, unmarked);
    assert.equal(pictures.length, whole.length - 1, 'the last one may go on');
    for (const [index, { data }] of pictures.entries()) assert.ok(data.equals(whole[index]!));
  });

  test(`${codec}: R-05 a picture that lacks a packet is dropped, the others are complete`, () => {
    const pictures = sent(codec);
    const [first, second] = pictures;
    assert.ok(first!.length > 2 && second!.length > 2, 'they come in several packets');
    for (let lost = 0; lost < second!.length; lost++) {
      const packets = pictures.flatMap((of, index) =>
        index === 1 ? of.filter((_, at) => at !== lost) : of,
      );
      const came = read(codec, packets).map(({ data }) => whole.findIndex((it) => it.equals(data)));
      assert.deepEqual(came, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], `without packet ${lost}`);
    }
  });
}

/** NAL units of one picture of H.264, each in a packet of its own. */
function packetsFrom(units: readonly Buffer[], timestamp: number, first: number): RtpPacket[] {
  return units.map((payload, at) => ({
    marker: true,
    payloadType: 96,
    sequence: first + at,
    timestamp,
    payload,
  }));
}

const slice = (isFirst: boolean): Buffer => Buffer.from([0x41, isFirst ? 0x9a : 0x1a, 1, 2, 3]);

test('a camera that marks each part of a picture is read by times as soon as that is noticed', () => {
  const packets = [0, 1, 2, 3].flatMap((index) =>
    packetsFrom([slice(true), slice(false)], index * 3_000, index * 2),
  );
  const parts = read('h264', packets).map(({ data }) => unitsOf(data).length);
  // The first picture came as two before the markers were known to be wrong; the last one may go on.
  assert.deepEqual(parts, [1, 1, 2, 2]);
});

test('a marker after parameter sets ends no picture; the sets go with the next one', () => {
  const sets = [Buffer.from([0x67, 1, 2, 3]), Buffer.from([0x68, 1, 2, 3])];
  const packets = [
    ...packetsFrom(sets, 0, 0),
    ...packetsFrom([Buffer.from([0x65, 0x88, 1])], 3_000, 2),
  ];
  const [picture, ...others] = read('h264', packets);
  assert.equal(others.length, 0);
  assert.ok(picture?.key);
  assert.deepEqual(
    unitsOf(picture.data).map((unit) => unit[0]! & 31),
    [7, 8, 5],
  );
});

test('units of an aggregation packet come out one by one; a wrong length ends it', () => {
  const units = [Buffer.from([0x67, 9, 9]), Buffer.from([0x68, 8]), Buffer.from([0x65, 0x88, 7])];
  const framed = units.map((unit) => Buffer.concat([Buffer.from([0, unit.length]), unit]));
  const payload = Buffer.concat([Buffer.from([24]), ...framed, Buffer.from([9, 9, 1])]);
  const [picture] = read('h264', packetsFrom([payload], 0, 0));
  assert.deepEqual(unitsOf(picture!.data), units);
});

test('a camera with intra refresh says where decoding can begin', () => {
  const recovery = (frames: number): Buffer =>
    Buffer.from([6, 6, 1, frames === 0 ? 0xc0 : 0x60, 0x80]);
  const keys = [recovery(0), recovery(2)].map(
    (sei) => read('h264', packetsFrom([sei, slice(true)], 0, 0))[0]?.key,
  );
  assert.deepEqual(keys, [true, false]);
});

test('two fields of one time are one picture, the camera marking each', async () => {
  const interlaced = { codec: 'h264', bFrames: 0, shape, interlaced: true } as const;
  const [coded] = await codedUnits(interlaced);
  const sets = unitsOf(coded!).filter((unit) => [7, 8].includes(unit[0]! & 31));
  const field = (key: boolean): Buffer => Buffer.from([key ? 0x65 : 0x41, 0x88, 1, 2, 3]);
  const packets = [0, 1, 2].flatMap((index) => {
    const units = index === 0 ? [...sets, field(true), field(false)] : [field(false), field(false)];
    return packetsFrom(units, index * 3_600, index * 10);
  });
  const pictures = packets.map((packet, at) => ({ ...packet, sequence: at }));
  const types = read('h264', pictures).map(({ data }) =>
    unitsOf(data).map((unit) => unit[0]! & 31),
  );
  // The last one may go on.
  assert.deepEqual(types, [
    [7, 8, 5, 1],
    [1, 1],
  ]);
});

test('a camera that marks no key picture sends parameter sets before an intra picture', () => {
  // First macroblock 0, then the type of slice: 7 (I alone), 5 (P alone).
  const intra = Buffer.from([0x41, 0b10001000, 1]);
  const predicted = Buffer.from([0x41, 0b10011010, 1]);
  const keyOf = (units: readonly Buffer[]) => read('h264', packetsFrom(units, 0, 0))[0]?.key;
  const set = Buffer.from([0x67, 1, 2, 3]);
  assert.equal(keyOf([set, intra]), true);
  assert.equal(keyOf([set, predicted]), false);
  assert.equal(keyOf([intra]), false);
});

for (const codec of ['h264', 'hevc'] as const) {
  test(`${codec}: packets that come twice count once`, () => {
    const twice = sent(codec).flatMap((packets) => packets.flatMap((one) => [one, one]));
    assert.equal(read(codec, twice).length, films[codec].length);
  });

  test(`${codec}: the last piece of a unit may be empty`, () => {
    const headBytes = codec === 'h264' ? 1 : 2;
    const ends = 0x40;
    let sequence = 0;
    const packets = sent(codec)
      .flat()
      .flatMap((packet) => {
        const state = packet.payload[headBytes]!;
        const [first = 0] = packet.payload;
        const isFragment = codec === 'h264' ? (first & 31) === 28 : first >> 1 === 49;
        if (!isFragment || !(state & ends)) return [packet];
        const open = Buffer.from(packet.payload);
        open[headBytes] = state & ~ends;
        const end = Buffer.from(packet.payload.subarray(0, headBytes + 1));
        return [
          { ...packet, payload: open, marker: false },
          { ...packet, payload: end },
        ];
      })
      .map((packet) => ({ ...packet, sequence: sequence++ & 0xffff }));
    const pictures = read(codec, packets);
    assert.ok(packets.length > sent(codec).flat().length, 'some units come in pieces');
    assert.deepEqual(
      pictures.map(({ data }, index) => data.equals(withStartCodes(films[codec][index]!))),
      films[codec].map(() => true),
    );
  });
}

test('R-05 C-515 a picture that never ends is refused', () => {
  const accessUnits = new AccessUnits(h264Depacketizer);
  const piece = Buffer.alloc(60_000, 1);
  piece.set([0x1c, 0x85]);
  accessUnits.take({ marker: false, payloadType: 96, sequence: 0, timestamp: 0, payload: piece });
  piece[1] = 0x05;
  assert.throws(() => {
    for (let sequence = 1; sequence < 400; sequence++) {
      accessUnits.take({ marker: false, payloadType: 96, sequence, timestamp: 0, payload: piece });
    }
  }, /too large/);
});
