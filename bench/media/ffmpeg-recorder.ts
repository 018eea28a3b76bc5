/** Debian's ffmpeg copying a camera into segments of ten seconds: the peer of the recorder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the segments are written. */
export const muxers = {
  /** The usual way: the index of a file is written when it ends. */
  mp4: [],
  /** A fragment for each group of pictures. */
  'fragmented mp4': ['-segment_format_options', 'movflags=+frag_keyframe+empty_moov'],
  /** The same, handed to the system at once. */
  'fragmented, flushed': [
    '-segment_format_options',
    'movflags=+frag_keyframe+empty_moov:flush_packets=1',
  ],
} as const;
export type MuxerName = keyof typeof muxers;

export class FfmpegRecorder implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'nazar-ffmpeg-'));
  readonly #child: ChildProcess;

  constructor(url: string, muxer: MuxerName = 'mp4') {
    const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', url, '-an', '-c', 'copy'];
    const cut = ['-f', 'segment', '-segment_time', '10', '-reset_timestamps', '1'];
    const words = [...input, ...cut, '-segment_format', 'mp4', ...muxers[muxer]];
    const path = join(this.folder, '%04d.mp4');
    this.#child = spawn('ffmpeg', [...words, path], { stdio: 'ignore' });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
