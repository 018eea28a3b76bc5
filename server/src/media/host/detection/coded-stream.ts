/**
 * The coded pictures of a stream since its last key frame: enough for `picture-at.ts` to decode any of them when it is
 * wanted.
 */
import { AV_CODEC_ID_H264, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters, type CodecContext } from 'node-av/lib';
import { boxAt, h264ConfigurationOf } from '../../mp4/boxes.ts';
import { isGopFull } from '../../protocol/gop.ts';
import type { LiveStream } from '../live/live-stream.ts';
import { openDecoder } from '../../codec/decoder.ts';
import type { Track } from '../../protocol/track.ts';

export interface CodedPicture {
  readonly key: boolean;
  /** Seconds on the stream's timeline. */
  readonly at: number;
  readonly wallMs: number;
  /** Null: the picture is damaged. */
  data(): Buffer | null;
}

export interface CodedStream {
  readonly width: number;
  readonly height: number;
  /** In decoding order, beginning with the key frame. */
  readonly pictures: readonly CodedPicture[];
  /** A decoder for the caller to free; null when the stream cannot be decoded. */
  open(): CodecContext | null;
}

/** H.264 is kept for new viewers anyway: one picture in each fragment. Null before the first key frame. */
export function codedLive({ init, gop }: Pick<LiveStream, 'init' | 'gop'>): CodedStream | null {
  if (!init) return null;
  const { body, width, height } = init;
  return {
    width,
    height,
    get pictures() {
      return gop.map(({ key, at, wallMs, body: fragment }) => {
        return { key, at, wallMs, data: () => boxAt(fragment, ['mdat']) };
      });
    },
    open: () => openH264(body, width, height),
  };
}

/** The deblocking filter stays on: without it a picture far from its key frame is smeared. */
function openH264(init: Buffer, width: number, height: number): CodecContext | null {
  const configuration = h264ConfigurationOf(init);
  if (!configuration) return null;
  using parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_VIDEO;
  parameters.codecId = AV_CODEC_ID_H264;
  parameters.extradata = Buffer.from(configuration);
  parameters.width = width;
  parameters.height = height;
  return openDecoder({ parameters, codec: 'h264' }, false);
}

/** The pictures of H.265, which viewers get encoded anew. The track must be open as long as there are pictures. */
export class KeptPictures implements CodedStream {
  readonly #track: Track;
  #pictures: CodedPicture[] = [];
  #bytes = 0;

  constructor(track: Track) {
    this.#track = track;
  }

  get width(): number {
    return this.#track.width;
  }

  get height(): number {
    return this.#track.height;
  }

  get pictures(): readonly CodedPicture[] {
    return this.#pictures;
  }

  push({ data, ...picture }: Omit<CodedPicture, 'data'> & { readonly data: Buffer }): void {
    if (picture.key || isGopFull(this.#pictures.length, this.#bytes)) this.end();
    if (!picture.key && this.#pictures.length === 0) return;
    this.#pictures.push({ ...picture, data: () => data });
    this.#bytes += data.length;
  }

  /** A gap follows. */
  end(): void {
    this.#pictures = [];
    this.#bytes = 0;
  }

  open(): CodecContext {
    return openDecoder(this.#track, false);
  }
}
