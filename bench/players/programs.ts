/** Players that are programs of their own: FFmpeg, mpv, GStreamer and VLC. */
import { mkdtempSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heardInRaw, heardInWav, type Heard } from './heard.ts';
import { programIn, run, type Played, type Player, type Ran } from './player.ts';

const ffmpeg = programIn(['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg']);
const mpv = programIn(['/usr/bin/mpv', '/usr/local/bin/mpv']);
const gstreamer = programIn(['/usr/bin/gst-launch-1.0', '/usr/local/bin/gst-launch-1.0']);
const vlc = programIn(['/usr/bin/cvlc', '/usr/local/bin/cvlc']);

/** Longer than these take for it, who need not play in time. */
const withinSeconds = 120;

/** Small pictures, of which only the number counts. */
const [rawWidth, rawHeight, rawRate] = [32, 16, 48_000];

async function inFolder(work: (folder: string) => Promise<Played>): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-player-'));
  chmodSync(folder, 0o777);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const firstLine = ({ out, err }: Ran): string => `${out}${err}`.split('\n')[0]!.trim();
const bytesOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0));
const heardInFile = (path: string): Heard => heardInWav(bytesOf(path));
const imagesIn = (folder: string): number =>
  readdirSync(folder).filter((name) => /\.(jpg|png)$/.test(name)).length;
const endOf = ({ code }: Ran): string | null =>
  code === 0 ? null : code === null ? 'hung' : `ended with ${code}`;

export const players: readonly Player[] = [
  {
    name: 'FFmpeg',
    missing: ffmpeg ? null : 'apt-get install ffmpeg',
    version: async () => firstLine(await run(ffmpeg!, ['-version'])).replace(/ Copyright.*/, ''),
    play: (address) =>
      inFolder(async (folder) => {
        const wav = join(folder, 'sound.wav');
        const pictures = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'null', '-'];
        // Where times leave a hole there is silence.
        const sound = [
          '-map',
          '0:a:0?',
          '-af',
          'aresample=async=1',
          '-ac',
          '1',
          '-ar',
          '48000',
          wav,
        ];
        const words = ['-nostdin', '-y', '-i', address, ...pictures, ...sound];
        const ran = await run(ffmpeg!, words, { withinSeconds });
        const frames = [...ran.err.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1];
        return { pictures: Number(frames ?? 0), ...heardInFile(wav), stopped: endOf(ran) };
      }),
  },
  {
    name: 'mpv',
    missing: mpv ? null : 'apt-get install mpv',
    version: async () => firstLine(await run(mpv!, ['--version'])).replace(/ Copyright.*/, ''),
    play: (address) =>
      inFolder(async (folder) => {
        const wav = join(folder, 'sound.wav');
        const shown = ['--vo=image', '--vo-image-format=jpg', `--vo-image-outdir=${folder}`];
        const heard = [
          '--ao=pcm',
          `--ao-pcm-file=${wav}`,
          '--audio-samplerate=48000',
          '--audio-format=s16',
        ];
        const words = ['--no-config', '--framedrop=no', ...shown, ...heard, address];
        const ran = await run(mpv!, words, { withinSeconds });
        return { pictures: imagesIn(folder), ...heardInFile(wav), stopped: endOf(ran) };
      }),
  },
  {
    name: 'GStreamer',
    missing: gstreamer
      ? null
      : 'apt-get install gstreamer1.0-tools and its plugins, libav among them',
    version: async () => (await run(gstreamer!, ['--version'])).out.split('\n')[1]!.trim(),
    play: (address) =>
      inFolder(async (folder) => {
        const [seen, heard] = [join(folder, 'pictures.raw'), join(folder, 'sound.raw')];
        const small = `video/x-raw,format=GRAY8,width=${rawWidth},height=${rawHeight}`;
        const pictures = `videoconvert ! videoscale ! ${small} ! filesink sync=false location=${seen}`;
        const samples = `audio/x-raw,format=S16LE,rate=${rawRate},channels=1`;
        const sound = `audioconvert ! audioresample ! ${samples} ! filesink sync=false location=${heard}`;
        const sinks = [`video-sink=${pictures}`, `audio-sink=${sound}`];
        const words = ['playbin3', `uri=${address}`, 'flags=0x3', ...sinks];
        const ran = await run(gstreamer!, words, { withinSeconds });
        return {
          pictures: Math.floor(bytesOf(seen).length / (rawWidth * rawHeight)),
          soundSeconds: heardInRaw(bytesOf(heard), rawRate).soundSeconds,
          // What is missing is not filled with silence.
          silenceMs: null,
          stopped: endOf(ran) ?? errorIn(ran),
        };
      }),
  },
  {
    name: 'VLC',
    missing: vlc ? null : 'apt-get install vlc-bin vlc-plugin-base',
    version: async () => firstLine(await run(vlc!, ['--version'], { asNobody: true })),
    play: (address, seconds) =>
      inFolder(async (folder) => {
        const wav = join(folder, 'sound.wav');
        const scene = ['--video-filter=scene', '--scene-ratio=1', `--scene-path=${folder}`];
        const shown = ['--vout=vdummy', '--no-drop-late-frames', '--no-skip-frames', ...scene];
        const heard = ['--aout=afile', `--audiofile-file=${wav}`];
        const words = ['-I', 'dummy', '-v', ...shown, ...heard, '--play-and-exit', address];
        const options = { asNobody: true, withinSeconds: seconds * 1.5 + 20 };
        const ran = await run(vlc!, words, options);
        const said = /mp4 (?:demux )?error: (.+)|no moov.+/.exec(ran.err)?.[0] ?? null;
        return { pictures: imagesIn(folder), ...heardInFile(wav), stopped: endOf(ran) ?? said };
      }),
  },
];

const errorIn = ({ err }: Ran): string | null =>
  /ERROR: from element .+?: (.+)/.exec(err)?.[1] ?? null;
