/** Reads a camera's SDP (RFC 4566; the formats of RFC 6184, RFC 7798, RFC 3640 and RFC 3551). */

export interface SdpMedia {
  readonly kind: 'video' | 'audio';
  readonly payloadType: number;
  /** In capitals: H264, MPEG4-GENERIC ... */
  readonly encoding: string;
  readonly clockRate: number;
  readonly channels: number;
  /** Names in small letters. */
  readonly format: ReadonlyMap<string, string>;
  /** Control URL of this stream, relative to that of the session; empty when the SDP has none. */
  readonly control: string;
  /** Whether it says that it only sends: to the camera, where not all do (ONVIF's back channel). */
  readonly sendOnly: boolean;
  /** 0 when the SDP does not say. */
  readonly fps: number;
}

export interface Sdp {
  /** Control URL of the session; empty when the SDP has none. */
  readonly control: string;
  readonly media: readonly SdpMedia[];
}

/** Static payload types (RFC 3551). */
const known: Readonly<Record<number, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000' };
/** A camera has a few; more are ignored. */
const maxMedia = 16;

export function readSdp(text: string): Sdp {
  const [session = '', ...sections] = text.split(/(?:^|[\r\n])m=/).slice(0, maxMedia + 1);
  const media = sections.map(mediaOf).filter((found) => found !== null);
  return { control: attribute(session, 'control'), media };
}

function mediaOf(section: string): SdpMedia | null {
  const head = /^(video|audio)\s+\d+(?:\/\d+)?\s+\S+\s+(\d{1,3})/.exec(section);
  if (!head) return null;
  const kind = head[1] === 'video' ? 'video' : 'audio';
  const payloadType = Number(head[2]);
  const map = attribute(section, `rtpmap:${payloadType}`, ' ') || (known[payloadType] ?? '');
  const [encoding = '', rate = '', channels = '1'] = map.split('/');
  return {
    kind,
    payloadType,
    encoding: encoding.toUpperCase(),
    clockRate: Number(rate) || 90_000,
    channels: Number(channels) || 1,
    format: formatOf(attribute(section, `fmtp:${payloadType}`, ' ')),
    control: attribute(section, 'control'),
    sendOnly: /^a=sendonly\s*$/m.test(section),
    fps: fpsOf(section),
  };
}

/** The value of `a=name:value`; empty when it is missing. `name` is always ours, never the camera's. */
function attribute(section: string, name: string, separator = ':'): string {
  const line = section
    .split(/\r\n?|\n/)
    .map((it) => it.replace(/^a=(rtpmap|fmtp):\s+/, 'a=$1:'))
    .find((it) => it.startsWith(`a=${name}${separator}`));
  return line?.slice(name.length + 3).trim() ?? '';
}

function formatOf(text: string): Map<string, string> {
  const pairs = text.split(';').map((part): [string, string] => {
    const at = part.indexOf('=');
    const name = at < 0 ? part : part.slice(0, at);
    return [name.trim().toLowerCase(), at < 0 ? '' : part.slice(at + 1).trim()];
  });
  return new Map(pairs);
}

function fpsOf(section: string): number {
  const said = Number(attribute(section, 'framerate') || attribute(section, 'x-framerate'));
  return said >= 1 && said <= 240 ? said : 0;
}
