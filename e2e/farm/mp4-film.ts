/** A film of the farm as an MP4 file, with its index at the end, as FFmpeg writes it when nothing else is said. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AV_CODEC_ID_H264, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import type { Film } from './film.ts';
import { unitsOf } from './rtp.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

export async function makeMp4(film: Film): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-mp4-'));
  const path = join(folder, 'film.mp4');
  try {
    await write(film, path);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write({ units, width, height, fps, isKey }: Film, path: string): Promise<void> {
  const file = new FormatContext();
  file.allocOutputContext2(null, 'mp4', path);
  const stream = file.newStream(null);
  const timeBase = new Rational(1, fps);
  const sets = unitsOf(units[0] ?? Buffer.alloc(0)).filter((unit) =>
    [7, 8].includes((unit[0] ?? 0) & 31),
  );
  Object.assign(stream.codecpar, {
    codecType: AVMEDIA_TYPE_VIDEO,
    codecId: AV_CODEC_ID_H264,
    width,
    height,
    extradata: Buffer.concat(sets.flatMap((unit) => [startCode, unit])),
  });
  stream.timeBase = timeBase;
  await file.openOutput();
  await file.writeHeader(null);
  for (const [index, unit] of units.entries()) {
    using packet = new Packet();
    packet.alloc();
    packet.data = unit;
    packet.pts = BigInt(index);
    packet.dts = BigInt(index);
    packet.duration = 1n;
    if (isKey(index)) packet.setFlags(AV_PKT_FLAG_KEY);
    packet.rescaleTs(timeBase, stream.timeBase);
    await file.interleavedWriteFrame(packet);
  }
  await file.writeTrailer();
  await file.closeOutput();
  file.freeContext();
}
