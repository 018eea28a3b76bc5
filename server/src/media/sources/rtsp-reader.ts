/**
 * Reads along what an RTSP camera sends: replies (RFC 2326) and interleaved packets (section 10.12), in any
 * chunks. Changes nothing; knows the last status, and when what comes is no RTSP at all. Lengths are bounded
 * because cameras lie (C-515).
 */
const maxHeadBytes = 16 * 1024;
const maxReplyBytes = 1024 * 1024;
/** Some firmwares put stray bytes between packets; this much of it is no longer an accident. */
const maxRubbishBytes = 2 * 1024;
const dollar = 0x24;
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

export class RtspReader {
  /** Status of the newest reply; 0 before the first. */
  status = 0;
  /** Where a redirect points to. */
  location: string | null = null;
  /** Where the camera says that its packets come from, when they do not come interleaved. */
  source: string | null = null;
  /** Interleaved packets so far. */
  packets = 0;
  #rest: Buffer = nothing;
  #skipBytes = 0;
  #rubbishBytes = 0;

  /** False when the stream is beyond belief and the connection must end. */
  push(chunk: Buffer): boolean {
    let at = Math.min(this.#skipBytes, chunk.length);
    this.#skipBytes -= at;
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk.subarray(at)]) : chunk;
    if (this.#rest.length > 0) at = 0;
    this.#rest = nothing;
    while (at < data.length) {
      const taken = this.#take(data, at);
      if (taken === null) {
        this.#rest = data.subarray(at);
        break;
      }
      if (this.#rubbishBytes > maxRubbishBytes) return false;
      at += taken;
    }
    this.#skipBytes += Math.max(0, at - data.length);
    return this.#rest.length <= maxHeadBytes;
  }

  /** Length of what begins at `at` (it may reach beyond the data), or null when more is needed to tell. */
  #take(data: Buffer, at: number): number | null {
    const first = data[at];
    if (first === dollar) return this.#takePacket(data, at);
    if (first === 0x0d || first === 0x0a) return 1;
    // A reply begins with "RTSP/"; a camera may also ask (SET_PARAMETER, ANNOUNCE, OPTIONS).
    if (first !== undefined && first >= 0x41 && first <= 0x5a) return this.#takeText(data, at);
    return this.#rubbish();
  }

  #rubbish(): number {
    this.#rubbishBytes += 1;
    return 1;
  }

  #takePacket(data: Buffer, at: number): number | null {
    if (data.length < at + 5) return null;
    const channel = data.readUInt8(at + 1);
    const bytes = data.readUInt16BE(at + 2);
    // Packets follow a granted request only; RTP and RTCP both begin with version 2.
    if (this.status === 0 || channel > 31 || bytes < 4 || data.readUInt8(at + 4) >> 6 !== 2)
      return this.#rubbish();
    this.packets += 1;
    this.#rubbishBytes = Math.max(0, this.#rubbishBytes - 16);
    return 4 + bytes;
  }

  #takeText(data: Buffer, at: number): number | null {
    const line = data.toString('latin1', at, Math.min(data.length, at + 64));
    const isText = /^[\t\r\n\x20-\x7e]*$/.test(line) || line.includes('\r\n\r\n');
    if (!isText || !/^[A-Z_]{3,13}[ /]|^[A-Z_]{1,13}$/.test(line)) return this.#rubbish();
    const end = data.indexOf(headEnd, at);
    if (end < 0) return data.length - at > maxHeadBytes ? this.#rubbish() : null;
    const head = data.toString('latin1', at, end);
    const bodyBytes = Number(/^content-length:\s*(\d{1,9})/im.exec(head)?.[1] ?? 0);
    if (!/ RTSP\/\d|^RTSP\/\d/.test(head) || bodyBytes > maxReplyBytes) {
      this.#rubbishBytes += maxRubbishBytes + 1;
      return end - at + 4;
    }
    const status = /^RTSP\/\d\.\d (\d{3})/.exec(head)?.[1];
    if (status) {
      this.status = Number(status);
      this.source = /^transport:[^\r\n]*;source=([^;\s]+)/im.exec(head)?.[1] ?? this.source;
      this.location = /^location:\s*(\S+)/im.exec(head)?.[1] ?? null;
    }
    return end - at + 4 + bodyBytes;
  }
}
