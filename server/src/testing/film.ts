/** What is really in a film on disk: read and decoded packet by packet. */
import { numberIn } from '@nazar/e2e/farm/film.ts';
import { Frame } from 'node-av/lib';
import { momentOf, packetOf } from '#media/codec/coded.ts';
import { openDecoder } from '#media/codec/decoder.ts';
import { FrameScaler } from '#media/codec/frame-scaler.ts';
import { FormatSource } from '#media/sources/format-source.ts';

export interface FilmContents {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Which pictures are key frames. */
  readonly keys: number[];
  /** The number in the farm's bar code, for each picture that decodes. */
  readonly numbers: number[];
  readonly inOrder: boolean;
}

/** `see`: is given each picture, as RGB. */
export async function contentsOf(
  path: string,
  see?: (rgb: Buffer, width: number, height: number) => void,
): Promise<FilmContents> {
  const source = { url: path, options: {}, stop: () => undefined, why: () => null };
  await using film = await FormatSource.open(source);
  using decoder = openDecoder(film.track, false);
  using scaler = new FrameScaler();
  using frame = new Frame();
  frame.alloc();
  const keys: number[] = [];
  const numbers: number[] = [];
  let pictures = 0;
  let inOrder = true;
  const take = async (): Promise<void> => {
    while ((await decoder.receiveFrame(frame)) >= 0) {
      const rgb = await scaler.toBuffer(frame, { format: 'rgb' });
      see?.(rgb, frame.width, frame.height);
      numbers.push(numberIn(rgb, frame.width));
    }
  };
  for (let picture = await film.read(); picture; picture = await film.read()) {
    if (picture.key) keys.push(pictures);
    inOrder &&= picture.pts === picture.dts;
    pictures += 1;
    using packet = packetOf(picture, momentOf(picture));
    await decoder.sendPacket(packet);
    await take();
  }
  await decoder.sendPacket(null);
  await take();
  const { width, height, fps } = film.track;
  return { width, height, seconds: pictures / fps, keys, numbers, inOrder };
}
