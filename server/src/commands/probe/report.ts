/**
 * The file that `npm run probe` writes: plain English text for the person who helps. What the camera said comes from
 * the worker with everything private left out; the report only states the form of the address.
 */
import { isIP } from 'node:net';
import manifest from '../../../../package.json' with { type: 'json' };
import type {
  Diagnosis,
  PacketFigures,
  PictureFigures,
  SoundFigures,
  SourceChoice,
  Spread,
} from '#media/protocol/diagnosis-messages.ts';
import { linesShown } from '#lib/terminal/terminal-text.ts';
import type { Reachable } from '#media/protocol/messages.ts';
import { nameOf, verdictOf } from './verdict.ts';

export function reportOf(camera: Reachable, diagnosis: Diagnosis | null, made: Date): string {
  const { platform, arch, version } = process;
  const head = [
    'Nazar camera probe',
    `${made.toISOString()}, Nazar ${manifest.version}, Node ${version}, ${platform} ${arch}`,
    'User names, passwords, addresses, paths, names and serial numbers are left out.',
  ];
  const sections = [
    section('Verdict', verdictOf(diagnosis)),
    section('Address', addressLines(camera)),
    ...(diagnosis ? sectionsOf(diagnosis) : []),
  ];
  return `${head.join('\n')}\n${sections.join('')}`;
}

function sectionsOf(diagnosis: Diagnosis): string[] {
  const { pictures, sound, packets } = diagnosis;
  return [
    section('Outcome', outcomeLines(diagnosis)),
    section('How Nazar reads it', choiceLines(diagnosis)),
    ...(pictures ? [section('Video', pictureLines(pictures))] : []),
    ...(pictures ? [section('Sound', soundLines(sound))] : []),
    section('RTP packets', packets.length > 0 ? packets.flatMap(packetLines) : ['none seen here']),
    section('What the camera says', replyLines(diagnosis)),
  ];
}

/** The report is read on terminals too. */
const section = (title: string, lines: readonly string[]): string =>
  `\n== ${title} ==\n${linesShown(lines.join('\n')).text}\n`;

function addressLines({ type, url, username, password, certificate }: Reachable): string[] {
  const address = URL.parse(url);
  if (type === 'usb' || !address) return ['a video device of this machine'];
  const { protocol, hostname, port, pathname, searchParams } = address;
  const family = isIP(hostname.replace(/^\[|\]$/g, ''));
  const parts = pathname.split('/').filter((part) => part !== '').length;
  return [
    `scheme ${protocol.slice(0, -1)}, ${family === 0 ? 'a host name' : `an IPv${family} address`}, ${port === '' ? 'the usual port' : `port ${port}`}`,
    `parts of the path: ${parts}, fields of the query: ${searchParams.size}`,
    `user name ${given(username)}, password ${given(password)}, certificate fingerprint ${given(certificate)}`,
  ];
}

const given = (text: string): string => (text === '' ? 'not given' : 'given');

function outcomeLines({
  cause,
  details,
  openedMs,
  tookMs,
  pictures,
  decoded,
}: Diagnosis): string[] {
  return [
    `cause ${cause}${details.length > 0 ? `: ${details.join('; ')}` : ''}`,
    `opened ${openedMs === null ? 'never' : `after ${openedMs} ms`}, all took ${tookMs} ms`,
    `first frame ${after(pictures?.firstPictureMs)}, first key frame ${after(pictures?.firstKeyMs)}`,
    `decoded: ${decoded ? `yes, ${decoded.width}x${decoded.height}` : 'no'}`,
  ];
}

const after = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? 'never' : `after ${ms} ms`;

function choiceLines({ choices, track }: Diagnosis): string[] {
  const read = choices.map(choiceLine);
  if (!track) return read.length > 0 ? read : ['it did not get so far'];
  const { codec, profileLevel, width, height, announcedFps, announcedReorder } = track;
  return [
    ...read,
    `video: ${nameOf(codec)}${profileLevel === null ? '' : `, profile and level ${profileLevel}`}, ${width}x${height}`,
    `announced: ${announcedFps > 0 ? `${announcedFps} frames a second` : 'no frame rate'}, ${announcedReorder === null ? 'no depth of reordering' : `depth of reordering ${announcedReorder}`}`,
  ];
}

const simply = {
  rtsp: "RTSP over TCP (interleaved), by Nazar's own client",
  mjpeg: 'HTTP, JPEGs one after another in one answer (MJPEG)',
  jpeg: 'HTTP, a JPEG requested once a second',
  film: 'HTTP, a file of known length, played in real time (FFmpeg)',
  video: 'HTTP, a stream of video (FFmpeg)',
} as const;

function choiceLine(choice: SourceChoice): string {
  if (choice.reader === 'ffmpeg') {
    return `RTSP by FFmpeg behind a relay, packets over ${choice.transport.toUpperCase()}, because ${reasonOf(choice)}`;
  }
  if (choice.reader !== 'hls') return simply[choice.reader];
  const rates = choice.bitsPerSecond;
  return rates.length === 0
    ? 'HLS with one stream'
    : `HLS with streams of ${rates.join(', ')} bit/s, of which the largest is read`;
}

function reasonOf({
  status,
  transport,
}: Extract<SourceChoice, { readonly reader: 'ffmpeg' }>): string {
  if (status === null) return "Nazar's own client does not read this codec or packetization";
  if (transport === 'udp') return 'the camera does not send over TCP';
  return `the camera answered ${status} to Nazar's own client`;
}

function pictureLines(figures: PictureFigures): string[] {
  const { pictures, keyPictures, spanMs, bitsPerSecond, largestBytes } = figures;
  const rate = spanMs > 0 ? (((pictures - 1) * 1000) / spanMs).toFixed(2) : '-';
  return [
    `${pictures} frames in ${spanMs} ms (${rate} a second), ${keyPictures} of them key frames, ${figures.beforeFirstKey} before the first of those`,
    `${bitsPerSecond ?? '-'} bit/s, largest frame ${largestBytes} bytes`,
    `between arrivals: ${spread(figures.arrivals)}`,
    `between decode times: ${spread(figures.steps)}`,
    `between key frames: ${spread(figures.keySteps)}, at most ${figures.longestGroup ?? '-'} frames`,
    `later than the most punctual one: ${spread(figures.lateness)}`,
    `at most ${figures.reorder} frames before one that is shown earlier`,
    `times: ${figures.backwards} go back or stand still, ${figures.leaps} leap by over a second, ${figures.withoutTime} are missing`,
  ];
}

function soundLines(figures: SoundFigures | null): string[] {
  if (!figures) return ['none, or in a format that Nazar does not read'];
  const { codec, sampleRate, channels, frames, bitsPerSecond } = figures;
  return [
    `${codec}, ${sampleRate} Hz, ${channels} channels: ${frames} frames, ${bitsPerSecond} bit/s`,
  ];
}

function packetLines(figures: PacketFigures): string[] {
  const { channel, payloadType, packets, bytes, gaps, lost, repeated, late, jitterMs } = figures;
  return [
    `channel ${channel}, payload type ${payloadType}: ${packets} packets, ${bytes} bytes, the largest ${figures.largestBytes}, ${figures.senderReports} sender reports`,
    `  ${lost} lost in ${gaps} gaps, ${repeated} repeated, ${late} late; jitter ${jitterMs ?? '-'} ms`,
  ];
}

function replyLines({ replies, moreReplies }: Diagnosis): string[] {
  if (replies.length === 0) return ['nothing'];
  const shownReplies = replies.flatMap(({ atMs, protocol, method, lines }) => [
    `-- ${atMs} ms, ${protocol.toUpperCase()}${method === null ? '' : `, answer to ${method}`}`,
    ...lines.map((line) => `   ${line}`),
  ]);
  return moreReplies > 0 ? [...shownReplies, `-- and ${moreReplies} more`] : shownReplies;
}

const spread = (values: Spread | null): string =>
  values
    ? `${values.min} to ${values.max} ms, median ${values.median} ms, 95 % up to ${values.p95} ms`
    : '-';
