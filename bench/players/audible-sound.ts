/** How much of a tone without an end is audible in what a player let out. */
import type { Played } from './player.ts';

export type AudibleSound = Pick<Played, 'soundSeconds' | 'silenceMs'>;

const windowMs = 5;
/** A tenth of the tone's level: below that counts as silence. */
const silentLevel = 0.035;

/** `samples`: one channel, -1 to 1. */
export function soundOf(samples: Float32Array, rate: number): AudibleSound {
  const width = Math.round((rate * windowMs) / 1_000);
  let [loud, silent, longest] = [0, 0, 0];
  for (let at = 0; at + width <= samples.length; at += width) {
    let squares = 0;
    for (let one = at; one < at + width; one++) squares += (samples[one] ?? 0) ** 2;
    if (Math.sqrt(squares / width) < silentLevel) {
      silent += 1;
      continue;
    }
    if (loud > 0) longest = Math.max(longest, silent);
    loud += 1;
    silent = 0;
  }
  return { soundSeconds: (loud * windowMs) / 1_000, silenceMs: longest * windowMs };
}

/** A WAV file of 16-bit samples; its first channel. */
export function soundOfWav(wav: Buffer): AudibleSound {
  const data = wav.indexOf('data', 0, 'latin1');
  if (data < 0) return { soundSeconds: 0, silenceMs: 0 };
  return soundOfRaw(wav.subarray(data + 8), wav.readUInt32LE(24), wav.readUInt16LE(22));
}

/** Samples of 16 bits, low byte first. */
export function soundOfRaw(pcm: Buffer, rate: number, channels = 1): AudibleSound {
  const samples = new Float32Array(Math.floor(pcm.length / 2 / channels));
  for (let at = 0; at < samples.length; at++)
    samples[at] = pcm.readInt16LE(at * 2 * channels) / 32_768;
  return soundOf(samples, rate);
}
