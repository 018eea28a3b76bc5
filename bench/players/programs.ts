/** Players that are programs of their own: FFmpeg, mpv, GStreamer and VLC. */
import { mkdtempSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soundOfRaw, soundOfWav, type AudibleSound } from './audible-sound.ts';
import { programIn, run, type Played, type Player, type Ran } from './player.ts';

const ffmpeg = programIn(['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg']);
const mpv = programIn(['/usr/bin/mpv', '/usr/local/bin/mpv']);
const gstreamer = programIn(['/usr/bin/gst-launch-1.0', '/usr/local/bin/gst-launch-1.0']);
const vlc = programIn(['/usr/bin/cvlc', '/usr/local/bin/cvlc']);

/** Longer than it takes those who need not play in time. */
const withinSeconds = 60;
/** Longer than it takes those who play in time. */
const inTime = (seconds: number): number => seconds * 1.3 + 20;

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
const soundOfFile = (path: string): AudibleSound => soundOfWav(bytesOf(path));
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
        return { pictures: Number(frames ?? 0), ...soundOfFile(wav), stopped: endOf(ran) };
      }),
  },
  {
    name: 'mpv',
    missing: mpv ? null : 'apt-get install mpv',
    version: async () => firstLine(await run(mpv!, ['--version'])).replace(/ Copyright.*/, ''),
    // In time, once for the pictures and once for the sound: its writer of sound stands still where times go back.
    play: (address, seconds) =>
      inFolder(async (folder) => {
        const wav = join(folder, 'sound.wav');
        const shown = ['--vo=image', '--vo-image-format=jpg', `--vo-image-outdir=${folder}`];
        const seen = ['--no-config', '--framedrop=no', ...shown, '--ao=null', address];
        const ran = await run(mpv!, seen, { withinSeconds: inTime(seconds) });
        const written = ['--ao=pcm', `--ao-pcm-file=${wav}`, '--audio-format=s16'];
        const soundOptions = [
          '--no-config',
          '--vid=no',
          '--audio-samplerate=48000',
          ...written,
          address,
        ];
        await run(mpv!, soundOptions, { withinSeconds: inTime(seconds) });
        return { pictures: imagesIn(folder), ...soundOfFile(wav), stopped: endOf(ran) };
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
        const [seen, soundFile] = [join(folder, 'pictures.raw'), join(folder, 'sound.raw')];
        const small = `video/x-raw,format=GRAY8,width=${rawWidth},height=${rawHeight}`;
        const pictures = `videoconvert ! videoscale ! ${small} ! filesink sync=false location=${seen}`;
        const samples = `audio/x-raw,format=S16LE,rate=${rawRate},channels=1`;
        const sound = `audioconvert ! audioresample ! ${samples} ! filesink sync=false location=${soundFile}`;
        const sinks = [`video-sink=${pictures}`, `audio-sink=${sound}`];
        const words = ['playbin3', `uri=${address}`, 'flags=0x3', ...sinks];
        const ran = await run(gstreamer!, words, { withinSeconds });
        return {
          pictures: Math.floor(bytesOf(seen).length / (rawWidth * rawHeight)),
          soundSeconds: soundOfRaw(bytesOf(soundFile), rawRate).soundSeconds,
          // What is missing is not filled with silence.
          silenceMs: null,
          stopped: endOf(ran) ?? errorIn(ran),
        };
      }),
  },
  {
    name: 'VLC',
    missing: vlc ? null : 'apt-get install vlc-bin vlc-plugin-base',
    version: async () => firstLine(await run(vlc!, ['--version'], { isUnprivileged: true })),
    play: (address, seconds) =>
      inFolder(async (folder) => {
        const [raw, wav] = [join(folder, 'pictures.y4m'), join(folder, 'sound.wav')];
        const shown = ['--vout=yuv', `--yuv-file=${raw}`, '--yuv-yuv4mpeg2'];
        const all = ['--no-drop-late-frames', '--no-skip-frames'];
        const soundOptions = ['--aout=afile', `--audiofile-file=${wav}`];
        const words = [
          '-I',
          'dummy',
          '-v',
          ...shown,
          ...all,
          ...soundOptions,
          '--play-and-exit',
          address,
        ];
        const ran = await run(vlc!, words, {
          isUnprivileged: true,
          withinSeconds: inTime(seconds),
        });
        const said = /(no moov before mdat|Failed to create demuxer)/.exec(ran.err)?.[0] ?? null;
        const pictures = bytesOf(raw).toString('latin1').split('FRAME\n').length - 1;
        return { pictures, ...soundOfFile(wav), stopped: endOf(ran) ?? said };
      }),
  },
];

const errorIn = ({ err }: Ran): string | null =>
  /ERROR: from element .+?: (.+)/.exec(err)?.[1] ?? null;
