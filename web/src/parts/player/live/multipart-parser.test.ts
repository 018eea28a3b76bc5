import { expect, test } from 'vitest';
import { MultipartFault, MultipartParser, boundaryOf, type Part } from './multipart-parser.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (text: string): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n--frame\r\n`;
const words = (parts: readonly Part[]): string[] =>
  parts.map(({ type, bytes }) => `${type} ${new TextDecoder().decode(bytes)}`);

test('LIVE-023 only a multipart stream that names its boundary is one', () => {
  expect(boundaryOf('multipart/x-mixed-replace; boundary=frame')).toBe('frame');
  expect(boundaryOf('Multipart/X-Mixed-Replace;boundary="a b"; charset=utf-8')).toBe('a b');
  for (const other of [
    null,
    '',
    'text/html; boundary=frame',
    'multipart/x-mixed-replace',
    'multipart/x-mixed-replace; boundary=',
    'multipart/form-data; boundary=frame',
  ]) {
    expect(boundaryOf(other), String(other)).toBeNull();
  }
});

test('~LIVE-020 parts come out whole, however the bytes are cut', () => {
  const stream = bytesOf(`--frame\r\n${part('one')}${part('--frame\r\ntwo')}${part('three')}`);
  const expected = ['image/jpeg one', 'image/jpeg --frame\r\ntwo', 'image/jpeg three'];
  for (const size of [1, 2, 3, 7, 64, stream.length]) {
    const parser = new MultipartParser('frame');
    const parts: Part[] = [];
    for (let at = 0; at < stream.length; at += size) {
      parts.push(...parser.push(stream.subarray(at, at + size)));
    }
    expect(words(parts), `cut every ${size} bytes`).toEqual(expected);
    expect(parser.isClosed).toBe(false);
  }
});

test('a part is shown when its last byte is here, without waiting for the next', () => {
  const parser = new MultipartParser('frame');
  const [head = ''] = part('picture').split('picture');
  expect(parser.push(bytesOf(`--frame\r\n${head}pictur`))).toEqual([]);
  expect(words(parser.push(bytesOf('e')))).toEqual(['image/jpeg picture']);
});

test('a sender that closes is distinguished from one that breaks off', () => {
  const parser = new MultipartParser('frame');
  parser.push(bytesOf(`--frame\r\n${part('one')}--frame--\r\nwhat follows is no part`));
  expect(parser.isClosed).toBe(true);
  expect(parser.push(bytesOf(part('two')))).toEqual([]);
});

test.each([
  ['a page', '<!doctype html>\r\n<html>\r\n'],
  ['no length', '--frame\r\nContent-Type: image/jpeg\r\n\r\n'],
  ['a length of nothing', '--frame\r\nContent-Length: 0\r\n\r\n'],
  ['a length beyond all bounds', '--frame\r\nContent-Length: 99999999999\r\n\r\n'],
  ['a line without an end', 'x'.repeat(5000)],
  [
    'a head without an end',
    `--frame\r\n${Array.from({ length: 40 }, (_, i) => `X-${i}: 1\r\n`).join('')}`,
  ],
  ['a part longer than it said', '--frame\r\nContent-Length: 1\r\n\r\nab\r\n'],
])('LIVE-023 %s is no such stream', (_name, text) => {
  expect(() => new MultipartParser('frame').push(bytesOf(text))).toThrow(MultipartFault);
});
