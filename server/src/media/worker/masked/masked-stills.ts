/** Stills of recorded files with masks painted over them: decoded, painted and encoded anew. Runs in a media worker. */
import { open } from 'node:fs/promises';
import { AV_CODEC_ID_MJPEG, AV_LOG_QUIET, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters, Log } from 'node-av/lib';
import type { Answer } from '#lib/ipc.ts';
import { jpegOf } from '../../codec/snapshot.ts';
import { MaskPainter } from '../../mask/mask-painter.ts';
import { rotationOf } from '../../mp4/boxes.ts';
import type { Track } from '../../protocol/track.ts';
import type {
  AskStills,
  ZoneMasks,
  StillFile,
  StillsAnswer,
} from '../../protocol/worker-messages.ts';
import { sizeOfJpeg } from '../../sources/multipart.ts';
import { bytesAt } from '../recorded-bytes.ts';
import { recordedShapes } from '../../mask/recorded-masks.ts';

/**
 * The still was scaled before it was coded, and JPEG keeps one colour for four pixels: each pixel knows something of
 * its neighbours.
 */
const margin = 3;
const quality = 60;

export async function maskedStills(
  { masks }: AskStills,
  files: readonly StillFile[],
  signal: AbortSignal,
): Promise<Answer> {
  Log.setLevel(AV_LOG_QUIET);
  const stills: Buffer[] = [];
  for (const file of files) {
    if (signal.aborted) break;
    stills.push((await maskedStill(file, masks).catch(() => null)) ?? Buffer.alloc(0));
  }
  const head: StillsAnswer = { sizes: stills.map(({ length }) => length) };
  return { head, body: Buffer.concat(stills) };
}

/** Null when it cannot be decoded. */
async function maskedStill(still: StillFile, zoneMasks: ZoneMasks): Promise<Buffer | null> {
  const file = await open(still.file, 'r');
  try {
    const head = await bytesAt(file, 0, still.headBytes);
    const data = await bytesAt(file, still.offset, still.bytes);
    const track = trackOf(data);
    const masks = { ...zoneMasks, parts: still.parts, turns: still.turns };
    const painter = new MaskPainter(recordedShapes(masks, rotationOf(head)));
    const picture = { kind: 'picture', data, key: true, pts: 0, dts: 0, duration: 0 } as const;
    // It was turned when it was made.
    return track && (await jpegOf(track, picture, 0, painter, { quality, margin }));
  } finally {
    await file.close();
  }
}

function trackOf(jpeg: Buffer): Track | null {
  const size = sizeOfJpeg(jpeg);
  if (!size) return null;
  const parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_VIDEO;
  parameters.codecId = AV_CODEC_ID_MJPEG;
  parameters.width = size.width;
  parameters.height = size.height;
  return { parameters, codec: 'mjpeg', ...size, fps: 0 };
}
