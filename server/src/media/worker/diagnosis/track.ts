/** What a track announces about its pictures. */
import { parameterSetsOfExtradata, unitsOf } from '../../codec/h264.ts';
import { parameterSetsOfExtradata265, sps265, typeOf265 } from '../../codec/h265.ts';
import { shapeOf264 } from '../../codec/sps264.ts';
import { readSps265 } from '../../codec/sps265.ts';
import type { DiagnosedTrack } from '../../protocol/diagnosis-messages.ts';
import type { Track } from '../../protocol/track.ts';

const sps = 7;

export function diagnosedTrack({ codec, width, height, fps, parameters }: Track): DiagnosedTrack {
  const { extradata } = parameters;
  const announced = { codec, width, height, announcedFps: Math.round(fps * 100) / 100 };
  if (codec === 'h264') {
    const sets = parameterSetsOfExtradata(extradata);
    const set = sets && unitsOf(sets, false).find(([first = 0]) => (first & 31) === sps);
    const announcedReorder = set ? (shapeOf264(set)?.reorder ?? null) : null;
    const profileLevel = set?.subarray(1, 4).toString('hex') ?? null;
    return { ...announced, profileLevel, announcedReorder };
  }
  if (codec === 'hevc') {
    const sets = parameterSetsOfExtradata265(extradata);
    const set = sets && unitsOf(sets, false).find((unit) => typeOf265(unit) === sps265);
    const announcedReorder = set ? (readSps265(set)?.reorder ?? null) : null;
    return { ...announced, profileLevel: null, announcedReorder };
  }
  return { ...announced, profileLevel: null, announcedReorder: null };
}
