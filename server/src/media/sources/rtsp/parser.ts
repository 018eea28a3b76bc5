/**
 * Parses what an RTSP camera sends: replies and requests (RFC 2326) and interleaved packets (section 10.12), in any
 * chunks. It changes nothing, knows the last status, and notices when the stream is no RTSP at all. Lengths are bounded
 * because cameras send wrong ones.
 */
const maxHeadBytes = 16 * 1024;
const maxReplyBytes = 1024 * 1024;
/** Some firmware puts stray bytes between packets, or what is left of one; so many without a packet are no accident. */
const maxRubbishBytes = 8 * 1024;
/** Before the first reply there is nothing to go on with. */
const maxFirstRubbishBytes = 2 * 1024;
/** So many packets one after another mean that the stream is read rightly again. */
const trustedPackets = 4;
const dollar = 0x24;
const headEnd = Buffer.from('\r\n\r\n');
/** For cameras that end lines with LF alone. */
const bareHeadEnd = Buffer.from('\n\n');
const nothing = Buffer.alloc(0);

/** Where the head ends, and how many bytes end it; `end` is -1 when more bytes are needed. */
function headEndIn(data: Buffer, from: number): { end: number; gap: number } {
  const end = data.indexOf(headEnd, from);
  const bare = data.subarray(from, end < 0 ? from + maxHeadBytes : end).indexOf(bareHeadEnd);
  return bare < 0 ? { end, gap: headEnd.length } : { end: from + bare, gap: bareHeadEnd.length };
}

/** Gets complete messages and packets, in order. */
export interface RtspListener {
  /** A reply, or a request of the camera's own. `head` ends before the empty line. */
  text(head: string, body: Buffer): void;
  /** `packet` is a view of the pushed bytes. */
  packet(channel: number, packet: Buffer): void;
}

export class RtspParser {
  /** Status of the newest reply; 0 before the first. */
  status = 0;
  /** The address that a redirect points to. */
  location: string | null = null;
  /** The address that the camera sends packets from, when they do not come interleaved. */
  source: string | null = null;
  /** Interleaved packets so far. */
  packets = 0;
  readonly #listener: RtspListener | null;
  #rest: Buffer = nothing;
  #rubbishBytes = 0;
  /** Packets since the last stray byte. */
  #inARow = 0;

  constructor(listener: RtspListener | null = null) {
    this.#listener = listener;
  }

  /** Returns false when the stream is no RTSP and the connection must end. Keeps no view of `chunk`. */
  push(chunk: Buffer): boolean {
    let from = 0;
    // A packet that began in an earlier chunk is completed first; what follows is read without a copy.
    while (this.#rest.length > 0 && from < chunk.length) {
      const next = Math.min(chunk.length, from + this.#lacking);
      const joined = Buffer.concat([this.#rest, chunk.subarray(from, next)]);
      this.#rest = nothing;
      if (!this.#read(joined)) return false;
      from = next;
    }
    return this.#read(chunk.subarray(from));
  }

  /** How many bytes the incomplete packet still needs; infinite when that is not known. */
  get #lacking(): number {
    const rest = this.#rest;
    if (rest[0] !== dollar || rest.length < 4) return Infinity;
    return Math.max(1, 4 + rest.readUInt16BE(2) - rest.length);
  }

  #read(data: Buffer): boolean {
    for (let at = 0; at < data.length;) {
      const taken = this.#take(data, at);
      if (taken === null) {
        this.#rest = Buffer.from(data.subarray(at));
        break;
      }
      const most = this.packets > 0 ? maxRubbishBytes : maxFirstRubbishBytes;
      if (this.#rubbishBytes > most) return false;
      at += taken;
    }
    return true;
  }

  /** The length of what begins at `at`, or null when more bytes are needed. */
  #take(data: Buffer, at: number): number | null {
    const first = data[at];
    if (first === dollar) return this.#takePacket(data, at);
    if (first === 0x0d || first === 0x0a) return 1;
    // A reply begins with "RTSP/"; a camera may also send requests (SET_PARAMETER, ANNOUNCE, OPTIONS).
    if (first !== undefined && first >= 0x41 && first <= 0x5a) return this.#takeText(data, at);
    return this.#rubbish();
  }

  #rubbish(): number {
    this.#rubbishBytes += 1;
    this.#inARow = 0;
    return 1;
  }

  #takePacket(data: Buffer, at: number): number | null {
    if (data.length < at + 5) return null;
    const channel = data.readUInt8(at + 1);
    const bytes = data.readUInt16BE(at + 2);
    // Packets follow a granted request only; RTP and RTCP both begin with version 2.
    if (this.status === 0 || channel > 31 || bytes < 4 || data.readUInt8(at + 4) >> 6 !== 2)
      return this.#rubbish();
    if (data.length < at + 4 + bytes) return null;
    this.packets += 1;
    this.#inARow += 1;
    if (this.#inARow >= trustedPackets) this.#rubbishBytes = 0;
    this.#listener?.packet(channel, data.subarray(at + 4, at + 4 + bytes));
    return 4 + bytes;
  }

  #takeText(data: Buffer, at: number): number | null {
    const line = data.toString('latin1', at, Math.min(data.length, at + 64));
    const isText = /^[\t\r\n\x20-\x7e]*$/.test(line) || line.includes('\r\n\r\n');
    if (!isText || !/^[A-Z_]{3,13}[ /]|^[A-Z_]{1,13}$/.test(line)) return this.#rubbish();
    const { end, gap } = headEndIn(data, at);
    if (end < 0) return data.length - at > maxHeadBytes ? this.#rubbish() : null;
    const head = data.toString('latin1', at, end);
    const bodyBytes = Number(/^content-length:\s*(\d{1,9})/im.exec(head)?.[1] ?? 0);
    if (!/ RTSP\/\d|^RTSP\/\d/.test(head) || bodyBytes > maxReplyBytes) {
      this.#rubbishBytes = Infinity;
      return end - at + gap;
    }
    const next = end + gap + bodyBytes;
    if (data.length < next) return null;
    this.#note(head);
    this.#listener?.text(head, data.subarray(end + gap, next));
    return next - at;
  }

  #note(head: string): void {
    const status = /^RTSP\/\d\.\d (\d{3})/.exec(head)?.[1];
    if (!status) return;
    this.status = Number(status);
    this.source = /^transport:[^\r\n]*;source=([^;\s]+)/im.exec(head)?.[1] ?? this.source;
    this.location = /^location:\s*(\S+)/im.exec(head)?.[1] ?? null;
  }
}
