import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_CH_LAYOUT_MONO, AV_CHANNEL_ORDER_NATIVE, AV_CODEC_ID_AAC } from 'node-av/constants';
import { AV_CODEC_ID_PCM_ALAW, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { CodecParameters } from 'node-av/lib';
import type { Coded } from '../../codec/coded.ts';
import { Timeline, ticksPerSecond } from '../../codec/timeline.ts';
import type { SoundTrack } from '../../protocol/track.ts';
import { RecordedAudio } from './recorded-audio.ts';

function aTrack(codec: 'aac' | 'pcm_alaw', rate: number): SoundTrack {
  const parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_AUDIO;
  parameters.codecId = codec === 'aac' ? AV_CODEC_ID_AAC : AV_CODEC_ID_PCM_ALAW;
  parameters.sampleRate = rate;
  parameters.channelLayout = {
    nbChannels: 1,
    order: AV_CHANNEL_ORDER_NATIVE,
    mask: AV_CH_LAYOUT_MONO,
  };
  if (codec === 'aac') parameters.extradata = Buffer.from('1208', 'hex');
  return { parameters, codec };
}

/** The sound of those samples as sources report it, in whole ticks. */
function aPacket(at: number, samples: number, rate: number): Coded {
  const ticks = (count: number): number => Math.round((count * ticksPerSecond) / rate);
  const pts = ticks(at);
  const data = Buffer.alloc(samples, 0xd5);
  return { kind: 'sound', data, key: true, pts, dts: pts, duration: ticks(samples) };
}

for (const rate of [44_100, 22_050, 11_025, 48_000]) {
  test(`AAC at ${rate} Hz has every frame where the one before ends, for an hour`, async () => {
    using sound = new RecordedAudio(aTrack('aac', rate));
    const pictures = new Timeline(25);
    const frames = Math.ceil((3_600 * rate) / 1_024);
    for (let frame = 0; frame < frames; frame++) {
      const packet = aPacket(frame * 1_024, 1_024, rate);
      pictures.next(packet.pts, packet.dts);
      const [placed] = await sound.take(packet, pictures);
      assert.ok(placed, `frame ${frame} is left out`);
      assert.equal(Math.round((placed.pts! * rate) / ticksPerSecond), frame * 1_024);
    }
  });
}

test('sound that is encoded goes on at once on the timeline of another stream, and never ahead of it', async () => {
  using sound = new RecordedAudio(aTrack('pcm_alaw', 8_000));
  const packetTicks = 1_800;
  const timesOf = async (pictures: Timeline, from: number, packets: number): Promise<number[]> => {
    const times: number[] = [];
    for (let at = from; at < from + packets; at++) {
      const packet = aPacket(at * 160, 160, 8_000);
      pictures.next(packet.pts, packet.dts);
      for (const { pts } of await sound.take(packet, pictures)) {
        assert.ok(pts! <= pictures.now + packetTicks, `${pts} is ahead of ${pictures.now}`);
        times.push(pts!);
      }
    }
    return times;
  };
  // A minute, and then a picture of another size: the timeline of the pictures begins at 0 again.
  await timesOf(new Timeline(25), 0, 3_000);
  const times = await timesOf(new Timeline(25), 3_000, 100);
  assert.ok(times.length >= 13, `${times.length} frames of 128 ms in two seconds`);
  assert.deepEqual(
    times.slice(1).map((at, index) => at - times[index]!),
    times.slice(1).map(() => 11_520),
  );
});
