/**
 * Makes a small JPEG of one key frame of a recorded file, read by its offset and decoded alone. Runs in a media
 * worker.
 */
import { open } from 'node:fs/promises';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { jpegOf } from '../codec/snapshot.ts';
import { MaskPainter } from '../mask/mask-painter.ts';
import { bytesAt, fragmentAt, openRecorded } from './recorded-bytes.ts';
import { rotationOf } from '../mp4/boxes.ts';
import { recordedShapes } from '../mask/recorded-masks.ts';
import type { AskThumbnail } from '../protocol/worker-messages.ts';

/** Null when no picture can be decoded. */
export async function thumbnail(ask: AskThumbnail): Promise<Buffer | null> {
  Log.setLevel(AV_LOG_QUIET);
  const file = await open(ask.file, 'r');
  try {
    const head = await bytesAt(file, 0, ask.headBytes);
    const fragment = await fragmentAt(file, ask.offset);
    if (!fragment) return null;
    await using source = await openRecorded([head, fragment]);
    const picture = await source.read();
    const rotation = rotationOf(head);
    const painter = new MaskPainter(recordedShapes(ask.masks, rotation));
    return (
      picture && (await jpegOf(source.track, picture, rotation, painter, { maxSide: ask.width }))
    );
  } finally {
    await file.close();
  }
}
