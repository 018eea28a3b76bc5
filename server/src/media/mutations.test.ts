/**
 * R-05 without a network: the parsers of cameras' bytes get bytes with something wrong in them, in any chunks. They end
 * with a verdict, and keep no more than they may. `NAZAR_TEST_INPUTS` sets how many (500), `NAZAR_TEST_SEED` repeats a
 * run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '#testing/chance.ts';
import { chunksOf, headMutations, mutated } from '#testing/hostile-media/mutations.ts';
import { goodSessions, performed, spoiled } from '#testing/hostile-media/sessions.ts';
import {
  isIdr,
  parameterSetsOf,
  parameterSetsOfExtradata,
  unitedSets,
  unitsOf,
} from './codec/h264.ts';
import { parameterSetsOf265, parameterSetsOfExtradata265 } from './codec/h265.ts';
import { isInterlaced264 } from './codec/sps264.ts';
import { Timeline } from './codec/timeline.ts';
import { fragmentOf } from './mp4/fragment.ts';
import { closingPatches } from './mp4/closed-file.ts';
import { IngestFault } from './protocol/fault.ts';
import { answerTo } from './sources/digest.ts';
import { isIndexAtEnd } from './sources/http-film.ts';
import { readPlaylist } from './sources/hls-playlist.ts';
import { boundaryOf, MultipartFault, MultipartReader, sizeOfJpeg } from './sources/multipart.ts';
import { DecodeTimes } from './sources/rtsp/decode-times.ts';
import { AccessUnits } from './sources/rtsp/access-units.ts';
import { RtspParser } from './sources/rtsp/parser.ts';
import { rtpOf, senderReportOf } from './sources/rtsp/rtp.ts';
import { readSdp } from './sources/rtsp/sdp.ts';
import { codingOf, setsOfSdp, soundOf, trackOf } from './sources/rtsp/tracks.ts';
import { h264Depacketizer, h265Depacketizer } from './sources/rtsp/depacketizer.ts';

const inputs = Number(process.env['NAZAR_TEST_INPUTS'] ?? 500);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const sessions = await goodSessions();
const mebibyte = 1024 * 1024;

/** Every input has its own seed, so that one that fails can be repeated alone. */
function each(what: (chance: Chance) => void): void {
  for (let input = 0; input < inputs; input++) {
    try {
      what(new Chance(seed + input));
    } catch (error) {
      throw new Error(`NAZAR_TEST_SEED=${seed + input} NAZAR_TEST_INPUTS=1`, { cause: error });
    }
  }
}

/** RTSP over TCP with anything wrong in it is read or refused. */
function readRtsp(bytes: Buffer, chance: Chance): { isBelieved: boolean; packets: number } {
  const parser = new RtspParser();
  for (const chunk of chunksOf(bytes, chance)) {
    if (!parser.push(chunk)) return { isBelieved: false, packets: parser.packets };
  }
  return { isBelieved: true, packets: parser.packets };
}

/** The sizes of the parts; null when they are refused. */
function readParts(bytes: Buffer, chance: Chance): number[] | null {
  const reader = new MultipartReader('frame');
  const sizes: number[] = [];
  try {
    for (const chunk of chunksOf(bytes, chance)) {
      for (const part of reader.push(chunk)) {
        sizeOfJpeg(part);
        sizes.push(part.length);
      }
    }
  } catch (error) {
    if (error instanceof MultipartFault) return null;
    throw error;
  }
  return sizes;
}

test('R-05 C-515 the bytes of an RTSP camera, with something wrong in them, are read or refused', (t) => {
  let refused = 0;
  for (const session of sessions.filter(({ scheme }) => scheme === 'rtsp')) {
    const good = Buffer.concat(performed(session).answers);
    const { isBelieved, packets } = readRtsp(good, new Chance(seed));
    assert.ok(isBelieved && packets >= session.pictures.length);
    each((chance) => {
      const bytes = Buffer.concat(spoiled(session, chance).answers);
      const read = readRtsp(bytes, chance);
      // A packet has four bytes of interleaved frame header and at least four more.
      assert.ok(read.packets <= bytes.length / 8);
      if (!read.isBelieved) refused += 1;
    });
  }
  assert.ok(refused > 0);
  t.diagnostic(`${refused} of ${2 * inputs} refused`);
});

test('R-05 C-515 packets with something wrong in them give pictures of what came, or none', (t) => {
  let pictures = 0;
  for (const session of sessions.filter(({ scheme }) => scheme === 'rtsp')) {
    const coding = session.name.endsWith('hevc') ? h265Depacketizer : h264Depacketizer;
    each((chance) => {
      const accessUnits = new AccessUnits(coding);
      let [came, given] = [0, 0];
      const packets = new RtspParser({
        text: () => undefined,
        packet: (_, packet) => {
          const rtp = rtpOf(packet);
          senderReportOf(packet);
          if (!rtp) return;
          came += packet.length;
          for (const { data } of accessUnits.take(rtp)) {
            given += data.length;
            pictures += 1;
          }
        },
      });
      const bytes = Buffer.concat(spoiled(session, chance).answers);
      for (const chunk of chunksOf(bytes, chance)) if (!packets.push(chunk)) break;
      // Four bytes of start code for each unit, of which there is one in three bytes of payload at most.
      assert.ok(given <= came * 3, 'no byte comes twice');
    });
  }
  assert.ok(pictures > 0);
  t.diagnostic(`${pictures} pictures`);
});

const sounds = [
  'm=audio 0 RTP/AVP 97',
  'a=rtpmap:97 MPEG4-GENERIC/16000/1',
  'a=fmtp:97 mode=AAC-hbr;config=1408;sizelength=13;indexlength=3;indexdeltalength=3',
].join('\r\n');

test('R-05 C-515 descriptions and parameter sets with something wrong in them are read or refused', () => {
  const described = sessions
    .filter(({ scheme }) => scheme === 'rtsp')
    .map(({ answers }) => `${answers[1]!.toString('latin1')}${sounds}`);
  each((chance) => {
    const { bytes } = mutated(Buffer.from(chance.pick(described)), chance);
    for (const media of readSdp(bytes.toString('utf8')).media) {
      const coding = codingOf(media);
      const opened = coding && trackOf(setsOfSdp(media, coding), media, coding);
      const { width = 1, height = 1, parameters } = opened?.track ?? {};
      assert.ok(width > 0 && height > 0);
      parameters?.free();
      const sound = soundOf(media);
      const packet = { marker: true, payloadType: 97, sequence: 1, timestamp: 1 };
      for (const { data } of sound?.read({ ...packet, payload: bytes.subarray(0, 400) }) ?? []) {
        assert.ok(data.length <= 400);
      }
      sound?.track.parameters.free();
    }
  });
});

test('R-05 C-515 MJPEG with something wrong in it gives parts of what came, or is refused', (t) => {
  let refused = 0;
  for (const session of sessions.filter(({ name }) => name.startsWith('MJPEG'))) {
    const body = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
    const good = readParts(body(performed(session).answers[0]!), new Chance(seed));
    assert.ok(good && good.length >= session.pictures.length - 1);
    each((chance) => {
      const bytes = body(spoiled(session, chance).answers[0]!);
      const sizes = readParts(bytes, chance);
      const sum = sizes?.reduce((a, b) => a + b, 0) ?? 0;
      assert.ok(sum <= bytes.length, 'no byte comes twice');
      if (!sizes) refused += 1;
    });
  }
  t.diagnostic(`${refused} of ${2 * inputs} refused`);
});

test('R-05 pictures and parameter sets with something wrong in them are parsed within their bytes', () => {
  const pictures = sessions.flatMap((session) => session.pictures);
  each((chance) => {
    const { bytes } = mutated(chance.pick(pictures), chance);
    for (const lengthFramed of [false, true]) {
      const units = unitsOf(bytes, lengthFramed);
      assert.ok(units.reduce((sum, unit) => sum + unit.length, 0) <= bytes.length);
      parameterSetsOf(bytes, lengthFramed);
      parameterSetsOf265(bytes, lengthFramed);
      isIdr(bytes, lengthFramed);
    }
    isInterlaced264(bytes);
    isIndexAtEnd(bytes);
    const other = chance.pick(pictures);
    assert.ok(unitedSets([bytes, other]).length <= 2 * (bytes.length + other.length));
    const extradata = Buffer.concat([Buffer.from([1]), bytes.subarray(0, 200)]);
    for (const sets of [
      parameterSetsOfExtradata(extradata),
      parameterSetsOfExtradata265(extradata),
    ]) {
      assert.ok((sets?.length ?? 0) <= mebibyte);
    }
    const size = sizeOfJpeg(bytes);
    assert.ok(!size || (size.width <= 65_535 && size.height <= 65_535));
  });
});

/** A key picture, what leads it and what follows, three times. */
const fragments = Buffer.concat(
  Array.from({ length: 12 }, (_, index) => {
    const later = [9_000, 2_000, 1_000, 14_000][index % 4]!;
    const data = Buffer.alloc(40, index);
    const picture = { data, duration: 3_600, offset: later, key: index % 4 === 0 };
    const sound = { data, duration: 1_024, offset: 0, key: true };
    const runs = [{ trackId: 1, decodedAt: index * 3_600, samples: [picture] }];
    if (index % 3 === 0) runs.push({ trackId: 2, decodedAt: index * 600, samples: [sound] });
    return fragmentOf(index + 1, runs);
  }),
);

/** A file of these bytes, as much as reading asks for. */
const fileOf = (bytes: Buffer) => ({
  read: (into: Buffer, _offset: number, length: number, at: number) => {
    const bytesRead = bytes.copy(into, 0, at, Math.min(bytes.length, at + length));
    return Promise.resolve({ buffer: into, bytesRead });
  },
});

test('R-05 C-515 a recorded file with something wrong in it is patched within its bytes, or not at all', async (t) => {
  const good = await closingPatches(fileOf(fragments), 0, fragments.length);
  assert.ok(good.length >= 9);
  let patched = 0;
  for (let input = 0; input < inputs; input++) {
    const { bytes } = mutated(fragments, new Chance(seed + input));
    const patches = await closingPatches(fileOf(bytes), 0, bytes.length).catch((error: unknown) => {
      throw new Error(`NAZAR_TEST_SEED=${seed + input} NAZAR_TEST_INPUTS=1`, { cause: error });
    });
    for (const { at, bytes: over } of patches)
      assert.ok(at >= 0 && at + over.length <= bytes.length + 8);
    patched += patches.length > 0 ? 1 : 0;
  }
  t.diagnostic(`${patched} of ${inputs} patched`);
});

test('R-05 whatever times a camera says, pictures are decoded one after another, and shown then or later', () => {
  each((chance) => {
    const timeline = new Timeline(chance.pick([0, 1, 25, 240]));
    const depth = chance.pick([0, 2, null]);
    const times = depth === null ? null : new DecodeTimes(depth);
    let [said, arrivedMs, last] = [chance.below(2 ** 31), 0, -1];
    for (let picture = 0; picture < 60; picture++) {
      const steps = [3_600, 3_600, 3_600, 0, -3_600, 90_000, -900_000, chance.below(2 ** 31)];
      said += chance.pick(steps);
      arrivedMs += chance.pick([40, 40, 0, 1_000, -5_000]);
      const dts = times?.next(said, 3_600) ?? said;
      const { pts, ...moment } = timeline.next(said, dts, chance.percent(80) ? arrivedMs : null);
      assert.ok(Number.isSafeInteger(moment.dts) && moment.dts > last && pts >= moment.dts);
      assert.ok(moment.duration > 0);
      last = moment.dts;
    }
  });
});

const challenges = [
  'Digest realm="camera", nonce="0123456789abcdef", qop="auth,auth-int", algorithm=SHA-256, opaque="x"',
  'Basic realm="camera"',
  'multipart/x-mixed-replace; boundary="--frame"',
];

test('C-515 a camera`s challenge, and the boundary that it names, are bounded', () => {
  const asked = { method: 'GET', uri: '/stream?x=1' };
  each((chance) => {
    const { bytes } = mutated(Buffer.from(chance.pick(challenges)), chance, headMutations);
    // The form in which Node's HTTP parser gives it.
    const said = bytes.toString('latin1').replace(/[\r\n\0]/g, ' ');
    const answer = answerTo(said, asked, { username: 'admin', password: 'canary' });
    assert.ok(!answer?.includes('canary'));
    assert.doesNotMatch(answer ?? '', /[\r\n]/, 'no line of its own in our request');
    assert.ok((answer?.length ?? 0) <= said.length * 4 + 1_000);
    assert.ok((boundaryOf(said)?.length ?? 0) <= 70);
  });
});

const playlist = Buffer.from(
  [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-MEDIA-SEQUENCE:17',
    '#EXT-X-MAP:URI="head.mp4"',
    '#EXTINF:3.96,',
    'a.m4s',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:4,',
    'http://10.0.0.6/b.m4s',
    '',
  ].join('\r\n'),
);

test('R-05 C-515 a playlist with something wrong in it is read within bounds, or refused', (t) => {
  const base = new URL('http://10.0.0.5/list.m3u8');
  let refused = 0;
  each((chance) => {
    const { bytes } = mutated(playlist, chance, headMutations);
    try {
      const read = readPlaylist(bytes.toString('utf8'), base);
      const segments = read.kind === 'segments' ? read.segments : [];
      assert.ok(segments.length <= bytes.length);
      for (const { seconds, sequence } of segments) {
        assert.ok(seconds >= 0 && seconds <= 600 && Number.isSafeInteger(sequence));
      }
    } catch (error) {
      if (!(error instanceof IngestFault)) throw error;
      refused += 1;
    }
  });
  t.diagnostic(`${refused} of ${inputs} refused`);
});
