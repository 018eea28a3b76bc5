/** The status and the headers of a camera's RTSP or HTTP answer, with what is private left out. */
import { addressForm, leftOut, productOf } from './left-out.ts';

/** A camera sends ten or so. */
const maxLines = 40;

const number = (value: string): string => /^\d{1,12}$/.exec(value)?.[0] ?? leftOut;
const mediaType = (value: string): string =>
  /^(?:application\/(?:sdp|octet-stream|(?:vnd\.apple\.|x-)?mpegurl|json|xml|mp4)|multipart\/(?:x-mixed-replace|mixed)|image\/jpe?g|text\/(?:html|plain|xml|parameters)|audio\/(?:x-)?mpegurl|video\/(?:mp4|mp2t|x-flv|x-motion-jpeg|x-matroska|webm|h26[45]))(?![\w.+-])/i.exec(
    value,
  )?.[0] ?? leftOut;
const known = (words: readonly string[]) => (value: string) =>
  value
    .split(/[\s,;]+/)
    .filter((word) => words.includes(word.toLowerCase()))
    .join(', ') || leftOut;

const methods = [
  'options',
  'describe',
  'setup',
  'play',
  'pause',
  'teardown',
  'get_parameter',
  'set_parameter',
  'announce',
  'record',
  'redirect',
];

/** How the value of each header is shown; other headers are not even named, because cameras make up their own. */
const headers: Readonly<Record<string, (value: string) => string>> = {
  public: known(methods),
  'content-type': mediaType,
  'content-length': number,
  'content-range': (value) =>
    /^bytes \d{1,15}-\d{1,15}\/(?:\d{1,15}|\*)$/.exec(value)?.[0] ?? leftOut,
  'content-base': addressForm,
  'content-location': addressForm,
  location: addressForm,
  transport: transportOf,
  session: (value) => `${leftOut}${/;\s*timeout=\d{1,5}/i.exec(value)?.[0] ?? ''}`,
  server: productOf,
  'www-authenticate': challengeOf,
  range: (value) => /^npt=(?:now|[\d.]{1,12})?-(?:[\d.]{1,12})?$/.exec(value)?.[0] ?? leftOut,
  'rtp-info': rtpInfoOf,
  scale: (value) => /^[\d.]{1,8}$/.exec(value)?.[0] ?? leftOut,
  connection: known(['close', 'keep-alive']),
  'transfer-encoding': known(['chunked', 'identity']),
  'content-encoding': known(['gzip', 'deflate', 'identity']),
  'accept-ranges': known(['bytes', 'none']),
};

/** Lines to show. */
export function reportedHead(head: string): string[] {
  const [first = '', ...rest] = head.split(/\r?\n/);
  // The words behind the number are the camera's own.
  const status = /^(?:RTSP|HTTP)\/\d(?:\.\d)? \d{3}/.exec(first)?.[0];
  const request = methods.find((method) => first.startsWith(`${method.toUpperCase()} `));
  const begins =
    status ?? (request === undefined ? leftOut : `${request.toUpperCase()} ${leftOut}`);
  const reported = rest.slice(0, maxLines).flatMap((line) => {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    const tell = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return tell ? [`${name}: ${tell(line.slice(at + 1).trim())}`] : [];
  });
  const others = rest.filter((line) => line.trim() !== '').length - reported.length;
  return [begins, ...reported, ...(others > 0 ? [`and ${others} other headers`] : [])];
}

function transportOf(value: string): string {
  const plain =
    /^(?:RTP\/S?AVPF?(?:\/(?:TCP|UDP))?|unicast|multicast|(?:interleaved|client_port|server_port|port)=\d{1,5}(?:-\d{1,5})?|ttl=\d{1,3}|mode="?(?:play|PLAY)"?)$/;
  const name = /^(ssrc|source|destination|mode)=/i;
  return value
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (plain.test(part)) return part;
      const named = name.exec(part)?.[1];
      return named ? `${named.toLowerCase()}=${leftOut}` : leftOut;
    })
    .join(';');
}

/** The realm often is a serial number or a name that a user gave. */
function challengeOf(value: string): string {
  const scheme = /^(basic|digest)\b/i.exec(value)?.[1];
  if (!scheme) return leftOut;
  const isKnown = /^(?:md5|sha-256|sha-512-256|auth|auth-int|auth, ?auth-int|true|false)$/i;
  const parts = ['algorithm', 'qop', 'stale'].flatMap((name) => {
    const found = new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^\\s,]*))`, 'i').exec(value);
    const said = found?.[1] ?? found?.[2];
    return said === undefined ? [] : [`${name}=${isKnown.test(said) ? said : leftOut}`];
  });
  return [scheme, ...parts].join(' ');
}

function rtpInfoOf(value: string): string {
  return value
    .split(',')
    .slice(0, 4)
    .map((stream) =>
      stream
        .split(';')
        .map((part) => part.trim())
        .map((part) => {
          if (/^url=/i.test(part)) return `url=${addressForm(part.slice(4))}`;
          return /^(?:seq|rtptime)=\d{1,10}$/i.test(part) ? part : leftOut;
        })
        .join(';'),
    )
    .join(', ');
}
