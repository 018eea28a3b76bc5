/**
 * All that a camera says from the first question to the end of a short film, for each kind of camera, and the same
 * with something wrong in it. Pure bytes: `hostile-camera.ts` sends them, readers may be fed them without.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { codedUnits, writeCodedFilm, type Coding } from '../coded-film.ts';
import type { Chance } from '../chance.ts';
import { gzipBomb, headMutations, jpegMutations, mutated } from './mutations.ts';
import { descriptionOf, packetsOf, type RtpCodec } from './rtp-pictures.ts';

export interface Session {
  readonly name: string;
  readonly scheme: 'rtsp' | 'http';
  /** What the questions are answered with, in their order. */
  readonly answers: readonly Buffer[];
  /** What follows the last answer. */
  readonly pictures: readonly Buffer[];
  /** A picture as it is sent. */
  readonly framed: (picture: Buffer, index: number) => Buffer;
  /** Pictures may be sent again and again; else the film is over at its end. */
  readonly isEndless: boolean;
}

/** What a camera sends once: after each question an answer, after the last the pictures too. */
export interface Performance {
  /** What was done to it. */
  readonly kind: string;
  readonly answers: readonly Buffer[];
}

const shape = { ...smallFilm, pictures: 15, gop: 5 };
const boundary = 'frame';
const asIs = (bytes: Buffer): Buffer => bytes;

function httpHead(type: string, more = ''): Buffer {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${more}Connection: close\r\n\r\n`,
  );
}

function rtspSession(codec: RtpCodec, pictures: readonly Buffer[]): Session {
  const description = descriptionOf(pictures, codec);
  const reply = (sequence: number, heads: string, body = ''): Buffer =>
    Buffer.from(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${heads}\r\n${body}`);
  const described = `Content-Type: application/sdp\r\nContent-Length: ${description.length}\r\n`;
  return {
    name: `RTSP ${codec}`,
    scheme: 'rtsp',
    answers: [
      reply(1, 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n'),
      reply(2, described, description),
      reply(3, 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1;timeout=60\r\n'),
      reply(4, 'Session: 1\r\nRange: npt=0.000-\r\n'),
    ],
    pictures,
    framed: (picture, index) => Buffer.concat(packetsOf(picture, index, codec)),
    isEndless: true,
  };
}

function mjpegSession(pictures: readonly Buffer[], saysLengths: boolean): Session {
  const length = ({ length }: Buffer): string =>
    saysLengths ? `Content-Length: ${length}\r\n` : '';
  return {
    name: saysLengths ? 'MJPEG' : 'MJPEG without lengths',
    scheme: 'http',
    answers: [httpHead(`multipart/x-mixed-replace; boundary=${boundary}`)],
    pictures,
    framed: (jpeg) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Type: image/jpeg\r\n${length(jpeg)}\r\n`),
        jpeg,
        Buffer.from('\r\n'),
      ]),
    isEndless: true,
  };
}

const snapshotSession = (jpeg: Buffer): Session => ({
  name: 'snapshot',
  scheme: 'http',
  answers: [httpHead('image/jpeg', `Content-Length: ${jpeg.length}\r\n`)],
  pictures: [jpeg],
  framed: asIs,
  isEndless: false,
});

async function filmSession(name: string, type: string, coding: Coding): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-session-'));
  try {
    const path = join(folder, 'film');
    // FFmpeg reads half a second to know what it is, and drops that.
    await writeCodedFilm(path, { ...coding, shape: { ...shape, pictures: 50 } });
    const film = readFileSync(path);
    const pieces: Buffer[] = [];
    for (let at = 0; at < film.length; at += 1_500) pieces.push(film.subarray(at, at + 1_500));
    const answers = [httpHead(type)];
    return { name, scheme: 'http', answers, pictures: pieces, framed: asIs, isEndless: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One of each kind of camera. */
export async function goodSessions(): Promise<Session[]> {
  const jpegs = await makeJpegs(shape);
  const h264 = await codedUnits({ codec: 'h264', bFrames: 0, shape });
  const hevc = await codedUnits({ codec: 'hevc', bFrames: 0, shape });
  const fragments = { codec: 'h264', bFrames: 0, container: 'fragments' } as const;
  const transport = { codec: 'hevc', bFrames: 0, container: 'mpegts' } as const;
  return [
    rtspSession('h264', h264),
    rtspSession('hevc', hevc),
    mjpegSession(jpegs, true),
    mjpegSession(jpegs, false),
    snapshotSession(jpegs[0]!),
    await filmSession('MP4 over HTTP', 'video/mp4', fragments),
    await filmSession('MPEG-TS over HTTP', 'video/mp2t', transport),
  ];
}

/** As it should be. */
export function performed(session: Session): Performance {
  const { answers, pictures, framed } = session;
  return { kind: 'good', answers: withPictures(answers, pictures.map(framed)) };
}

function withPictures(answers: readonly Buffer[], framed: readonly Buffer[]): Buffer[] {
  const last = answers.at(-1) ?? Buffer.alloc(0);
  return [...answers.slice(0, -1), Buffer.concat([last, ...framed])];
}

type Place = 'answer' | 'picture' | 'frame' | 'packed';

/** With something wrong in an answer, in a picture, or in how a picture is framed. */
export function spoiled(session: Session, chance: Chance): Performance {
  const { answers, pictures, framed, scheme } = session;
  const heads: readonly Place[] = scheme === 'http' && chance.percent(5) ? ['packed'] : ['answer'];
  const place = chance.pick<Place>([...heads, 'picture', 'picture', 'frame']);
  if (place === 'packed') {
    const head = answers[0]!
      .toString('latin1')
      .replace('\r\n\r\n', '\r\nContent-Encoding: gzip\r\n\r\n');
    const kind = 'packed: gzip bomb';
    return { kind, answers: [Buffer.concat([Buffer.from(head), gzipBomb(chance.pick([1, 64]))])] };
  }
  if (place === 'answer') {
    const which = chance.below(answers.length);
    const { kind, bytes } = mutated(answers[which]!, chance, headMutations);
    const spoiledOnes = answers.map((answer, at) => (at === which ? bytes : answer));
    return {
      kind: `answer ${which}: ${kind}`,
      answers: withPictures(spoiledOnes, pictures.map(framed)),
    };
  }
  // The first pictures decide what a stream is taken for.
  const which = chance.percent(50) ? 0 : chance.below(pictures.length);
  const isJpeg = pictures[which]!.readUInt16BE(0) === 0xffd8;
  const more = isJpeg ? jpegMutations : {};
  if (place === 'picture') {
    const { kind, bytes } = mutated(pictures[which]!, chance, more);
    const all = pictures.map((picture, at) => framed(at === which ? bytes : picture, at));
    return { kind: `picture ${which}: ${kind}`, answers: withPictures(answers, all) };
  }
  const whole = framed(pictures[which]!, which);
  const { kind, bytes } = mutated(whole, chance, isJpeg ? headMutations : {});
  const all = pictures.map((picture, at) => (at === which ? bytes : framed(picture, at)));
  return { kind: `frame ${which}: ${kind}`, answers: withPictures(answers, all) };
}
