/** What a diagnosis means, in words: whether Nazar can use the camera, why not, and what to check. */
import { connectionSentence } from '#http/sentences.ts';
import type { Diagnosis } from '#media/protocol/diagnosis-messages.ts';

/** A longer way from key picture to key picture is felt when a view opens. */
const longGroupMs = 4_500;
/** A picture that comes this late makes a live view stop. */
const unevenMs = 500;

export const isUsable = (diagnosis: Diagnosis | null): boolean => diagnosis?.cause === 'none';

/** Lines to show. `diagnosis` null: the stream ended or hung the process that read it. */
export function verdictOf(diagnosis: Diagnosis | null): string[] {
  if (!diagnosis) {
    return [
      'The camera could not be probed: its stream crashed or hung the process that reads it.',
      'Update its firmware, or use its other stream.',
    ];
  }
  return [firstLine(diagnosis), ...remarksOn(diagnosis).map((remark) => `- ${remark}`)];
}

function firstLine({ cause, track, decoded, openedMs, tookMs }: Diagnosis): string {
  const size = decoded ? `${decoded.width}x${decoded.height}` : '';
  const shown = `A picture was decoded (${nameOf(track?.codec ?? '')}, ${size})`;
  if (cause === 'none') return `Nazar can use this camera. ${shown}.`;
  const sentence = `${connectionSentence('en', cause, '')} (${cause})`;
  if (openedMs === null) return sentence;
  const after = ((tookMs - openedMs) / 1000).toFixed(1);
  return decoded ? `${shown}, but ${after} s after it opened: ${sentence}` : sentence;
}

function remarksOn(diagnosis: Diagnosis): string[] {
  return [...remarksOnPictures(diagnosis), ...remarksOnPackets(diagnosis)];
}

function remarksOnPictures({ track, pictures }: Diagnosis): string[] {
  if (!track || !pictures || pictures.pictures === 0) return [];
  const { keyPictures, keySteps, lateness, spanMs, backwards, leaps, reorder } = pictures;
  const remarks: string[] = [];
  if (track.codec !== 'h264') {
    remarks.push(
      `The camera sends ${nameOf(track.codec)}. Browsers play H.264 unchanged; Nazar encodes the rest while someone is watching.`,
    );
  }
  const isLong = keySteps ? keySteps.max > longGroupMs : keyPictures === 1 && spanMs > longGroupMs;
  if (isLong) {
    const every = keySteps
      ? `${seconds(keySteps.max)} s apart`
      : `more than ${seconds(spanMs)} s apart`;
    remarks.push(
      `Key frames are ${every}, so that views open late. Set the I-frame interval to 2 seconds.`,
    );
  }
  if (reorder > 0) {
    remarks.push('The camera sends B-frames. Turn them off if you use low-latency views.');
  }
  if (backwards > 0 || leaps > 0) {
    remarks.push(
      `The times of the frames go back or stand still ${backwards} times and leap ${leaps} times.`,
    );
  }
  if (lateness && lateness.max > unevenMs) {
    remarks.push(
      `Frames come up to ${Math.round(lateness.max)} ms late. Check the network and the load of the camera.`,
    );
  }
  return remarks;
}

function remarksOnPackets({ packets, choices }: Diagnosis): string[] {
  const lost = packets.reduce((sum, stream) => sum + stream.lost, 0);
  const gaps = packets.reduce((sum, stream) => sum + stream.gaps, 0);
  const last = choices.at(-1);
  return [
    ...(lost > 0
      ? [
          `${lost} packets are missing in ${gaps} places. Check the cable or the wireless connection, or lower the bit rate.`,
        ]
      : []),
    ...(last?.reader === 'ffmpeg' && last.transport === 'udp'
      ? ['The camera sends by UDP only, which loses frames on busy networks.']
      : []),
  ];
}

const names: Readonly<Record<string, string>> = { h264: 'H.264', hevc: 'H.265', mjpeg: 'MJPEG' };
/** The name that people know a codec by. */
export const nameOf = (codec: string): string => names[codec] ?? codec;

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
