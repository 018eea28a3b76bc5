import { expect, test } from 'vitest';
import { MultipartReader, isPictureStream } from './multipart-reader.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (body: string): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n--frame\r\n`;
/** A picture that holds what looks like the end of a part. */
const tricky = 'ab\r\n--frame\r\n\r\ncd';
const stream = bytes(`--frame\r\n${part('one')}${part(tricky)}${part('')}`);
const asText = (parts: Uint8Array[]): string[] => parts.map((one) => new TextDecoder().decode(one));

test.each([1, 2, 7, 64, stream.length])('parts come whole from chunks of %i bytes', (size) => {
  const reader = new MultipartReader();
  const parts: string[] = [];
  for (let at = 0; at < stream.length; at += size) {
    parts.push(...asText(reader.push(stream.slice(at, at + size))));
  }
  expect(parts).toEqual(['one', tricky, '']);
});

test('a part larger than what was kept so far comes whole', () => {
  const large = 'x'.repeat(300_000);
  const parts = new MultipartReader().push(bytes(`--frame\r\n${part(large)}${part('next')}`));
  expect(asText(parts)).toEqual([large, 'next']);
});

test.each([
  ['no length', `--frame\r\nContent-Type: image/jpeg\r\n\r\nabc`],
  ['a length beyond all pictures', '--frame\r\nContent-Length: 99999999\r\n\r\n'],
  ['no head at all', 'x'.repeat(2000)],
])('what is no such stream is refused: %s', (_what, text) => {
  expect(() => new MultipartReader().push(bytes(text))).toThrow(/part has no/);
});

test('LIVE-023 only the multipart type is a stream of pictures', () => {
  expect(isPictureStream('multipart/x-mixed-replace; boundary=frame')).toBe(true);
  expect(isPictureStream('text/html')).toBe(false);
  expect(isPictureStream(null)).toBe(false);
});
