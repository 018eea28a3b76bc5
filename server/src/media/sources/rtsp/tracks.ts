/** Chooses how to read a camera's streams by its SDP, and makes FFmpeg's codec parameters for them. */
import {
  AV_CH_LAYOUT_MONO,
  AV_CH_LAYOUT_STEREO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_PCM_ALAW,
  AV_CODEC_ID_PCM_MULAW,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVCodecID,
} from 'node-av/constants';
import { CodecParameters } from 'node-av/lib';
import { parameterSetsOf, unitsOf } from '../../codec/h264.ts';
import { parameterSetsOf265, sps265, typeOf265 } from '../../codec/h265.ts';
import { isInterlaced264, shapeOf264, type PictureShape } from '../../codec/sps264.ts';
import { readSps265 } from '../../codec/sps265.ts';
import type { SdpMedia } from './sdp.ts';
import { aacSounds, g711Sounds, type SoundReader } from './sounds.ts';
import { h264Depacketizer, h265Depacketizer, type Depacketizer } from './depacketizer.ts';
import type { SoundTrack, Track } from '../../protocol/track.ts';

export interface PictureCoding {
  readonly depacketizer: Depacketizer;
  /** FFmpeg's name. */
  readonly codec: 'h264' | 'hevc';
  readonly codecId: AVCodecID;
  /** The parameter sets that decoding begins with, with start codes; null when one is missing. */
  readonly setsOf: (data: Buffer) => Buffer | null;
  /** Whether the unit is the sequence parameter set, which holds the pictures' shape. */
  readonly isShapeSet: (unit: Buffer) => boolean;
  readonly shapeOf: (sps: Uint8Array) => PictureShape | null;
  readonly isInterlaced: (sps: Uint8Array) => boolean;
  /** The SDP's format parameters that hold those sets. */
  readonly sdpParameters: readonly string[];
}

const h264: PictureCoding = {
  depacketizer: h264Depacketizer,
  codec: 'h264',
  codecId: AV_CODEC_ID_H264,
  setsOf: (data) => parameterSetsOf(data, false),
  isShapeSet: ([first = 0]) => (first & 31) === 7,
  shapeOf: shapeOf264,
  isInterlaced: isInterlaced264,
  sdpParameters: ['sprop-parameter-sets'],
};
const h265: PictureCoding = {
  depacketizer: h265Depacketizer,
  codec: 'hevc',
  codecId: AV_CODEC_ID_HEVC,
  setsOf: (data) => parameterSetsOf265(data, false),
  isShapeSet: (unit) => typeOf265(unit) === sps265,
  shapeOf: readSps265,
  // Fields of H.265 are pictures of their own.
  isInterlaced: () => false,
  sdpParameters: ['sprop-vps', 'sprop-sps', 'sprop-pps'],
};

/** Null for a codec or form that this client does not read. */
export function codingOf({ encoding, clockRate, format }: SdpMedia): PictureCoding | null {
  if (clockRate !== 90_000) return null;
  const isInterleaved =
    format.get('packetization-mode') === '2' || Number(format.get('sprop-max-don-diff') ?? 0) > 0;
  if (isInterleaved) return null;
  // Some cameras (EZVIZ) name H.265 and describe H.264, which they send.
  const is264 = format.has('sprop-parameter-sets') || format.has('profile-level-id');
  if (encoding === 'H264' || (encoding === 'H265' && is264)) return h264;
  return encoding === 'H265' ? h265 : null;
}

const startCode = Buffer.from([0, 0, 0, 1]);

/** The parameter sets of the SDP, with start codes. */
export function setsOfSdp({ format }: SdpMedia, { sdpParameters }: PictureCoding): Buffer {
  const units = sdpParameters
    .flatMap((name) => (format.get(name) ?? '').split(','))
    .map((text) => Buffer.from(text, 'base64'))
    .filter((unit) => unit.length > 3);
  return Buffer.concat(units.flatMap((unit) => [startCode, unit]));
}

export interface OpenedTrack {
  readonly track: Track;
  readonly reorder: number | null;
  /** Whether its pictures may come as two fields. */
  readonly interlaced: boolean;
}

/**
 * Makes the track from data that begins with parameter sets; null when one is missing or cannot be read. The caller
 * frees the track's parameters.
 */
export function trackOf(data: Buffer, media: SdpMedia, coding: PictureCoding): OpenedTrack | null {
  const sets = coding.setsOf(data);
  const sps = sets && unitsOf(sets, false).find(coding.isShapeSet);
  const shape = sps ? coding.shapeOf(sps) : null;
  if (!sets || !sps || !shape) return null;
  const { width, height } = shape;
  const parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_VIDEO;
  parameters.codecId = coding.codecId;
  parameters.extradata = sets;
  parameters.width = width;
  parameters.height = height;
  const fps = media.fps || shape.fps;
  return {
    track: { parameters, codec: coding.codec, width, height, fps },
    reorder: shape.reorder,
    interlaced: coding.isInterlaced(sps),
  };
}

export interface OpenedSound {
  readonly track: SoundTrack;
  readonly read: SoundReader;
}

const g711 = {
  PCMA: { codec: 'pcm_alaw', codecId: AV_CODEC_ID_PCM_ALAW },
  PCMU: { codec: 'pcm_mulaw', codecId: AV_CODEC_ID_PCM_MULAW },
} as const;

/** Null for an unusable codec. The caller frees the track's parameters. */
export function soundOf(media: SdpMedia): OpenedSound | null {
  const { encoding, clockRate, channels, format } = media;
  if (channels > 2) return null;
  const config = /^(?:[\da-f]{2}){2,64}$/i.exec(format.get('config') ?? '')?.[0];
  const aac = encoding === 'MPEG4-GENERIC' && config ? aacSounds(media) : null;
  const law = encoding === 'PCMA' || encoding === 'PCMU' ? g711[encoding] : null;
  if (!aac && !law) return null;
  const parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_AUDIO;
  parameters.codecId = law?.codecId ?? AV_CODEC_ID_AAC;
  parameters.sampleRate = clockRate;
  const mask = channels === 2 ? AV_CH_LAYOUT_STEREO : AV_CH_LAYOUT_MONO;
  parameters.channelLayout = { nbChannels: channels, order: AV_CHANNEL_ORDER_NATIVE, mask };
  if (aac && config) parameters.extradata = Buffer.from(config, 'hex');
  if (law) parameters.bitsPerCodedSample = 8;
  return { track: { parameters, codec: law?.codec ?? 'aac' }, read: aac ?? g711Sounds };
}
