/** What a decoder shows of pictures that refuses whatever refers to a picture that is not there. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Frame, type CodecParameters } from 'node-av/lib';
import { momentOf, packetOf, type Coded } from '#media/codec/coded.ts';
import { openRecorded } from '#media/worker/recorded-bytes.ts';

/**
 * Decodes from the first picture on, as strictly as Chromium does: what refers to a picture that isn't there is refused.
 * Returns the hash of each picture by when it is shown.
 */
export async function strictlyDecoded(
  pieces: readonly Buffer[],
): Promise<{ shown: Map<number, string>; refused: number }> {
  await using film = await openRecorded(pieces);
  using decoder = strictDecoder(film.track.parameters);
  using frame = new Frame();
  frame.alloc();
  const shown = new Map<number, string>();
  let refused = 0;
  const take = async (): Promise<void> => {
    for (;;) {
      const result = await decoder.receiveFrame(frame);
      if (result < 0) {
        if (result !== AVERROR_EAGAIN && result !== AVERROR_EOF) refused += 1;
        return;
      }
      shown.set(Number(frame.pts), hashOf(frame));
    }
  };
  for (let one: Coded | null = await film.read(); one; one = await film.read()) {
    using packet = packetOf(one, momentOf(one));
    if ((await decoder.sendPacket(packet)) < 0) refused += 1;
    await take();
  }
  await decoder.sendPacket(null);
  await take();
  return { shown, refused };
}

/** Pixels of 4:2:0 alone: what lies beside them in memory is anything. */
function hashOf({ data, linesize, width, height }: Frame): string {
  const hash = createHash('sha256');
  for (const [at, plane] of (data ?? []).entries()) {
    const [across, down] = at === 0 ? [width, height] : [(width + 1) >> 1, (height + 1) >> 1];
    const stride = linesize[at] ?? 0;
    for (let row = 0; row < down; row++)
      hash.update(plane.subarray(row * stride, row * stride + across));
  }
  return hash.digest('hex');
}

function strictDecoder(parameters: CodecParameters): CodecContext {
  const codec = Codec.findDecoder(parameters.codecId);
  assert.ok(codec);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(parameters);
  context.threadCount = 1;
  context.setOption('err_detect', '+explode');
  assert.ok(context.open2Sync(codec, null) >= 0);
  return context;
}
