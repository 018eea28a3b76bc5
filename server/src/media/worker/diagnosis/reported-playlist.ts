/** An HLS playlist (RFC 8216), with what is private left out: addresses, titles and dates. */
import { leftOut } from './left-out.ts';

/** The newest few segments of a live playlist. */
const maxLines = 40;

const number = /^\d{1,15}(?:\.\d{1,6})?$/;
/** Tags whose value is a number or nothing. */
const numbered =
  /^#EXT(?:M3U|-X-(?:VERSION|TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY(?:-SEQUENCE)?|ENDLIST|INDEPENDENT-SEGMENTS))$/;
const named =
  /^#EXT-X-(?:STREAM-INF|I-FRAME-STREAM-INF|MAP|KEY|MEDIA|BYTERANGE|PLAYLIST-TYPE|PART|PART-INF|PRELOAD-HINT|SERVER-CONTROL|PROGRAM-DATE-TIME|START)$/;
/** Attributes that say what a stream is like. */
const attributes: Readonly<Record<string, RegExp>> = {
  BANDWIDTH: number,
  'AVERAGE-BANDWIDTH': number,
  RESOLUTION: /^\d{1,5}x\d{1,5}$/,
  'FRAME-RATE': number,
  CODECS:
    /^"(?:(?:avc[13]|h[ev][vc]1|mp4a|mjpg|opus)(?:\.[\da-fL]{1,8}){0,4}(?:, ?(?=[a-z])|(?="$))){1,4}"$/i,
  METHOD: /^(?:NONE|AES-128|SAMPLE-AES)$/,
  TYPE: /^(?:AUDIO|VIDEO|SUBTITLES|CLOSED-CAPTIONS|PART|MAP)$/,
};

/** Lines to show. */
export function reportedPlaylist(text: string): string[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reported = lines.slice(0, maxLines).map(reportedLine);
  const more = lines.length - reported.length;
  return more > 0 ? [...reported, `and ${more} other lines`] : reported;
}

function reportedLine(line: string): string {
  if (!line.startsWith('#')) return leftOut;
  const at = line.includes(':') ? line.indexOf(':') : line.length;
  const [tag, value] = [line.slice(0, at), line.slice(at + 1)];
  // A title may follow the duration.
  if (tag === '#EXTINF') return `#EXTINF:${/^[\d.]{1,12}/.exec(value)?.[0] ?? leftOut},`;
  if (numbered.test(tag)) return number.test(value) ? `${tag}:${value}` : tag;
  if (!named.test(tag)) return `#${leftOut}`;
  const said = [...value.matchAll(/([A-Z-]{2,30})=("[^"]*"|[^,]*)/g)].flatMap(
    ([, name = '', its = '']) => {
      const form = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      return form?.test(its) ? [`${name}=${its}`] : [];
    },
  );
  return said.length > 0 ? `${tag}:${said.join(',')}` : `${tag}:${leftOut}`;
}
