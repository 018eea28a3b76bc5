/** The box of an export that leads to its samples: what holds for all tracks, and each of them. */
import { box, fullBox, u32, u64 } from '../mp4/boxes.ts';
import type { ExportTrack } from './export-track.ts';

/** Seconds from the epoch of QuickTime, 1904, to that of Unix. */
const quickTimeEpoch = 2_082_844_800;

/** `dataAt`: where the first byte of all samples will be. */
export function movieBox(
  all: readonly ExportTrack[],
  video: ExportTrack,
  { madeMs, dataAt }: { madeMs: number; dataAt: number },
): Buffer {
  const scale = video.timescale;
  const tracks = all.filter(({ samples }) => samples > 0);
  const shown = tracks.map(
    (track) => ((track.shownEndTicks - beginOf(track, video)) / track.timescale) * scale,
  );
  const made = Math.floor(madeMs / 1_000) + quickTimeEpoch;
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  const mvhd = fullBox(
    'mvhd',
    1,
    0,
    u64(made),
    u64(made),
    u32(scale),
    u64(Math.max(0, Math.round(Math.max(...shown)))),
    u32(0x10000, 0x01000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, tracks.length + 1),
  );
  const traks = tracks.map((track, index) =>
    track.trak(index + 1, beginOf(track, video), scale, dataAt),
  );
  return box('moov', mvhd, ...traks);
}

/** Pictures may be shown later than they are decoded; sound begins with the first that is shown. */
const beginOf = (track: ExportTrack, video: ExportTrack): number =>
  Math.round((video.shownTicks / video.timescale) * track.timescale);
