/**
 * What firmware does that no standard says, as changes to the words and the packets of a camera that behaves. Each was
 * seen by users of other products; the guide's table says in whose cameras.
 */

/** Beside those that `rtsp-camera.ts` plays itself. */
export const wordQuirks = [
  'back-channel',
  'bare-lf',
  'bare-transport',
  'blank-sdp',
  'cseq-zero',
  'double-scheme',
  'mute-options',
  'no-get-parameter',
  'no-range-455',
  'no-sound',
  'short-session',
  'silent-keepalive',
] as const;
export const packetQuirks = ['ghost-session', 'torn-frames', 'twice', 'new-sender'] as const;
export type WordQuirk = (typeof wordQuirks)[number];
export type PacketQuirk = (typeof packetQuirks)[number];

/** Ends the connection. */
export const closes = Symbol('closes');
/** What is written instead of a reply; null: nothing. */
export type Said = string | null | typeof closes;

const refused = (status: string, sequence: string): string =>
  `RTSP/1.0 ${status}\r\nCSeq: ${sequence}\r\n\r\n`;

/** `reply`: what a camera that behaves would write. */
export function said(quirk: string | null, request: string, reply: string): Said {
  const [method = ''] = /^\S+/.exec(request) ?? [];
  const sequence = /^cseq:\s*(\d+)/im.exec(request)?.[1] ?? '0';
  const instead = (from: RegExp, to: string): string => reply.replace(from, to);
  switch (quirk as WordQuirk | null) {
    case 'back-channel':
      if (request.includes('track9')) return refused('500 Internal Server Error', sequence);
      return described(reply, (sdp) =>
        sdp.replace('m=video', 'm=audio 0 RTP/AVP 0\r\na=sendonly\r\na=control:track9\r\nm=video'),
      );
    case 'bare-lf':
      return bareLines(reply);
    case 'bare-transport':
      return instead(/;interleaved=[\d-]+/, '');
    case 'blank-sdp':
      return described(reply, (sdp) =>
        sdp.replace('m=video 0', 'm=video  0').replace('a=rtpmap:96', 'a=rtpmap: 96'),
      );
    case 'cseq-zero':
      return instead(/CSeq: \d+/, 'Cseq: 0');
    case 'double-scheme':
      return instead(/Content-Base: rtsp:\/\//, 'Content-Base: rtsp://rtsp://');
    case 'mute-options':
      return method === 'OPTIONS' ? null : reply;
    case 'no-get-parameter':
      return method === 'GET_PARAMETER' ? closes : instead(/, GET_PARAMETER/, '');
    case 'no-range-455':
      return /^range:/im.test(request) ? refused('455 Method Not Valid', sequence) : reply;
    case 'no-sound':
      return request.includes('track2') ? refused('500 Internal Server Error', sequence) : reply;
    case 'short-session':
      return instead(/timeout=\d+/, 'timeout=1');
    case 'silent-keepalive':
      return method === 'GET_PARAMETER' ? null : reply;
    default:
      return reply;
  }
}

/** The head alone: a description keeps its length. */
function bareLines(reply: string): string {
  const end = reply.indexOf('\r\n\r\n') + 4;
  return reply.slice(0, end).replace(/\r\n/g, '\n') + reply.slice(end);
}

/** The reply with another description, and its length. */
function described(reply: string, change: (sdp: string) => string): string {
  const at = reply.indexOf('\r\n\r\nv=0');
  if (at < 0) return reply;
  const sdp = change(reply.slice(at + 4));
  return `${reply.slice(0, at).replace(/Content-Length: \d+/, `Content-Length: ${sdp.length}`)}\r\n\r\n${sdp}`;
}

/** `frames`: the packets of a picture, each with its interleaved head. */
export function sent(quirk: string | null, frames: Buffer, picture: number): Buffer {
  const each = framesOf(frames);
  switch (quirk as PacketQuirk | null) {
    case 'ghost-session':
      return Buffer.concat(each.flatMap((frame) => [frame, ghostOf(frame)]));
    case 'new-sender':
      return Buffer.concat(each.map((frame) => withSender(frame, Math.floor(picture / 25))));
    case 'torn-frames':
      return picture % 5 === 4 ? Buffer.concat([each[0]!.subarray(0, 600), frames]) : frames;
    case 'twice':
      return Buffer.concat(each.flatMap((frame) => [frame, frame]));
    default:
      return frames;
  }
}

function framesOf(frames: Buffer): Buffer[] {
  const each: Buffer[] = [];
  for (let at = 0; at + 4 <= frames.length;) {
    const end = at + 4 + frames.readUInt16BE(at + 2);
    each.push(frames.subarray(at, end));
    at = end;
  }
  return each;
}

function withSender(frame: Buffer, sender: number): Buffer {
  const copy = Buffer.from(frame);
  copy.writeUInt32BE(sender, 12);
  return copy;
}

/** The same packet of a session that is over. */
function ghostOf(frame: Buffer): Buffer {
  const copy = withSender(frame, 9);
  copy.writeUInt16BE((frame.readUInt16BE(6) + 30_000) & 0xffff, 6);
  copy.writeUInt32BE((frame.readUInt32BE(8) + 777_777) >>> 0, 8);
  return copy;
}
