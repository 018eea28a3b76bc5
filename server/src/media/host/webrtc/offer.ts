/**
 * Reads a browser's offer to receive H.264 (SDP, RFC 8866, as WHEP sends it). No line of it reaches the native
 * library as it came: what is needed is read, checked and written anew. Its addresses are left out, so that no caller
 * can make this machine send packets anywhere: the browser connects, and is answered where it came from.
 */
export interface Offer {
  readonly mid: string;
  readonly payloadType: number;
  /** Format parameters of that payload type, as offered. */
  readonly parameters: string;
  /** Id of the header extension that turns pictures; null: the browser does not support it. */
  readonly orientationId: number | null;
  readonly ufrag: string;
  readonly password: string;
  /** SHA-256 of the browser's certificate. */
  readonly fingerprint: string;
}

const orientation = 'urn:3gpp:video-orientation';

/**
 * `profile`: the two hex digits of the stream's own profile, chosen if offered; every browser decodes more than it
 * names. Null: the offer is not for exactly one H.264 video.
 */
export function readOffer(sdp: string, profile: string): Offer | null {
  const media = sdp.match(/^m=.*/gm) ?? [];
  if (media.length !== 1 || !media[0]?.startsWith('m=video ')) return null;
  const format = chooseFormat(sdp, profile);
  const mid = attribute(sdp, /^a=mid:([\w-]{1,32})\r?$/m);
  const ufrag = attribute(sdp, /^a=ice-ufrag:([\w+/]{4,256})\r?$/m);
  const password = attribute(sdp, /^a=ice-pwd:([\w+/]{22,256})\r?$/m);
  const fingerprint = attribute(
    sdp,
    /^a=fingerprint:sha-256 ((?:[\dA-F]{2}:){31}[\dA-F]{2})\r?$/im,
  );
  if (!format || !mid || !ufrag || !password || !fingerprint) return null;
  return { ...format, mid, orientationId: orientationOf(sdp), ufrag, password, fingerprint };
}

/** The offer as the native library gets it. */
export function writeOffer(offer: Offer): string {
  const { mid, payloadType, parameters, orientationId, ufrag, password, fingerprint } = offer;
  const lines = [
    'v=0',
    'o=- 0 0 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mid}`,
    `m=video 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    ...(orientationId === null ? [] : [`a=extmap:${orientationId} ${orientation}`]),
    'a=recvonly',
    'a=rtcp-mux',
    `a=rtpmap:${payloadType} H264/90000`,
    `a=rtcp-fb:${payloadType} nack`,
    `a=rtcp-fb:${payloadType} nack pli`,
    `a=fmtp:${payloadType} ${parameters}`,
    'a=setup:actpass',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** The line of the answer that accepts the same extension. */
export const orientationLine = (id: number): string => `a=extmap:${id} ${orientation}`;

interface Format {
  readonly payloadType: number;
  readonly parameters: string;
}

/** Chooses among formats with packetization mode 1: the stream's own profile, else baseline, else the first. */
function chooseFormat(sdp: string, profile: string): Format | null {
  const formats = [...sdp.matchAll(/^a=rtpmap:(\d{1,3}) H264\/90000\r?$/gim)]
    .map(([, number = '']) => ({
      payloadType: Number(number),
      parameters:
        attribute(sdp, new RegExp(`^a=fmtp:${number} ([\\w=;., -]{1,200})\\r?$`, 'm')) ?? '',
    }))
    .filter(
      ({ payloadType, parameters }) =>
        payloadType < 128 && parameters.includes('packetization-mode=1'),
    );
  const has = (digits: string): Format | undefined =>
    formats.find(({ parameters }) => parameters.includes(`profile-level-id=${digits}`));
  return has(profile) ?? has('42') ?? formats[0] ?? null;
}

/** Ids of one-byte header extensions are 1 to 14 (RFC 8285). */
function orientationOf(sdp: string): number | null {
  const id = Number(
    attribute(sdp, /^a=extmap:(\d{1,2})(?:\/\w+)? urn:3gpp:video-orientation\r?$/m) ?? 0,
  );
  return id >= 1 && id <= 14 ? id : null;
}

const attribute = (sdp: string, line: RegExp): string | null => line.exec(sdp)?.[1] ?? null;
