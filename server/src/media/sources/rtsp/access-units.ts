/**
 * Pictures out of the packets of RTP. A picture is over when its last packet is marked so, or when a packet of another
 * time comes: there are cameras that mark nothing, and cameras that mark each part of a picture.
 */
import { IngestFault } from '../../protocol/fault.ts';
import type { RtpPacket } from './rtp.ts';
import { NalBuffer } from './nal-buffer.ts';
import type { Depacketizer, NalKind } from './depacketizer.ts';

export interface ArrivedPicture {
  /** Units with start codes. */
  readonly data: Buffer;
  readonly key: boolean;
  /** The RTP timestamp, 32 bits. */
  readonly timestamp: number;
}

export class AccessUnits {
  readonly #coding: Depacketizer;
  readonly #nals = new NalBuffer();
  readonly #told = (kind: NalKind): void => this.#note(kind);
  #timestamp = 0;
  #sequence: number | null = null;
  #hasSlice = false;
  #isKey = false;
  /** A part of the picture never came. */
  #isDamaged = false;
  #followsGap = false;
  /** The newest picture was over by its mark. */
  #markedAt: number | null = null;
  #marksLie = false;

  constructor(coding: Depacketizer) {
    this.#coding = coding;
  }

  /** What is complete by this packet, in order. Throws an IngestFault when it is more than a picture can be. */
  take(packet: RtpPacket): ArrivedPicture[] {
    const { sequence, timestamp, payload, marker } = packet;
    const isNext = this.#sequence === null || sequence === ((this.#sequence + 1) & 0xffff);
    this.#sequence = sequence;
    if (!isNext) this.#lose();
    const pictures: ArrivedPicture[] = [];
    if (timestamp !== this.#timestamp) pictures.push(...this.#finish());
    this.#timestamp = timestamp;
    this.#coding.take(payload, this.#nals, this.#told);
    if (!this.#nals.isBelievable) throw new IngestFault('damaged', 'a picture is too large');
    if (marker && this.#hasSlice && !this.#nals.isOpen && !this.#marksLie) {
      pictures.push(...this.#finish());
      this.#markedAt = timestamp;
    }
    return pictures;
  }

  #lose(): void {
    this.#isDamaged ||= !this.#nals.isEmpty;
    this.#followsGap = true;
    this.#nals.abandon();
  }

  #note({ isSlice, isFirst, isKey }: NalKind): void {
    // The picture that was over goes on.
    if (isSlice && !isFirst && !this.#hasSlice && this.#markedAt === this.#timestamp)
      this.#marksLie = true;
    if (isSlice && !this.#hasSlice) {
      this.#isDamaged ||= this.#followsGap && !isFirst;
      this.#followsGap = false;
    }
    this.#hasSlice ||= isSlice;
    this.#isKey ||= isKey;
  }

  /** Parameter sets without a picture go with the next one; a picture that lacks a part goes nowhere. */
  #finish(): ArrivedPicture[] {
    if (!this.#hasSlice) return [];
    const isWhole = !this.#isDamaged && !this.#nals.isOpen;
    const picture = { data: this.#nals.take(), key: this.#isKey, timestamp: this.#timestamp };
    this.#hasSlice = false;
    this.#isKey = false;
    this.#isDamaged = false;
    return isWhole ? [picture] : [];
  }
}
