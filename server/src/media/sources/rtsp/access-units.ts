/**
 * Puts pictures (access units) together from RTP packets. A picture ends with a packet that has the marker bit, or
 * when a packet with another time comes: some cameras never set the marker, and some set it on each part of a
 * picture.
 */
import { IngestFault } from '../../protocol/fault.ts';
import type { RtpPacket } from './rtp.ts';
import { NalBuffer } from './nal-buffer.ts';
import type { Depacketizer, NalKind } from './depacketizer.ts';

export interface ArrivedPicture {
  /** NAL units with start codes. */
  readonly data: Buffer;
  readonly key: boolean;
  /** 32 bits, in ticks of the stream's clock. */
  readonly timestamp: number;
}

export class AccessUnits {
  readonly #depacketizer: Depacketizer;
  readonly #nals = new NalBuffer();
  readonly #onNal = (kind: NalKind): void => this.#note(kind);
  #timestamp = 0;
  #sequence: number | null = null;
  #hasSlice = false;
  #isKey = false;
  /** A packet of the picture was lost. */
  #isDamaged = false;
  #followsGap = false;
  /** The time of the newest picture that ended by a marker. */
  #markedAt: number | null = null;
  #areMarkersWrong = false;
  /** Parameter sets came since the last picture. */
  #hasSets = false;

  constructor(depacketizer: Depacketizer) {
    this.#depacketizer = depacketizer;
  }

  /** Returns the pictures that this packet completes, in order. Throws an IngestFault when a picture is too large. */
  take(packet: RtpPacket): ArrivedPicture[] {
    const { sequence, timestamp, payload, marker } = packet;
    // A few cameras send each packet twice.
    if (sequence === this.#sequence) return [];
    const isNext = this.#sequence === null || sequence === ((this.#sequence + 1) & 0xffff);
    this.#sequence = sequence;
    if (!isNext) this.#lose();
    const pictures: ArrivedPicture[] = [];
    if (timestamp !== this.#timestamp) pictures.push(...this.#finish());
    this.#timestamp = timestamp;
    this.#depacketizer.take(payload, this.#nals, this.#onNal);
    if (!this.#nals.isBelievable) throw new IngestFault('damaged', 'a picture is too large');
    if (marker && this.#hasSlice && !this.#nals.isOpen && !this.#areMarkersWrong) {
      pictures.push(...this.#finish());
      this.#markedAt = timestamp;
    }
    return pictures;
  }

  /**
   * Pictures may come as two fields of the same time, each with a marker: then only another time ends a picture, which
   * costs the time of one.
   */
  expectFields(): void {
    this.#areMarkersWrong = true;
  }

  #lose(): void {
    this.#isDamaged ||= !this.#nals.isEmpty;
    this.#followsGap = true;
    this.#nals.abandon();
  }

  #note({ isSlice, isFirst, isKey, mayHaveFields, isSet, isIntra }: NalKind): void {
    if (mayHaveFields) this.expectFields();
    this.#hasSets ||= isSet === true;
    // Cameras that mark no key picture send parameter sets before those with which decoding can begin.
    this.#isKey ||= isSlice && !this.#hasSlice && isIntra === true && this.#hasSets;
    // A picture that had ended by its marker goes on.
    if (isSlice && !isFirst && !this.#hasSlice && this.#markedAt === this.#timestamp)
      this.#areMarkersWrong = true;
    if (isSlice && !this.#hasSlice) {
      this.#isDamaged ||= this.#followsGap && !isFirst;
      this.#followsGap = false;
    }
    this.#hasSlice ||= isSlice;
    this.#isKey ||= isKey;
  }

  /** Parameter sets without a picture go with the next one; a picture that lacks a packet is dropped. */
  #finish(): ArrivedPicture[] {
    if (!this.#hasSlice) return [];
    const isWhole = !this.#isDamaged && !this.#nals.isOpen;
    const picture = { data: this.#nals.take(), key: this.#isKey, timestamp: this.#timestamp };
    this.#hasSlice = false;
    this.#hasSets = false;
    this.#isKey = false;
    this.#isDamaged = false;
    return isWhole ? [picture] : [];
  }
}
