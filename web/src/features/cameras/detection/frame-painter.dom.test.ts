import { afterEach, expect, test, vi } from 'vitest';
import { FramePainter } from './frame-painter.ts';

afterEach(() => vi.restoreAllMocks());

function begin() {
  let made = 0;
  const kept = new Set<string>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    const url = `blob:${(made += 1)}`;
    kept.add(url);
    return url;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void kept.delete(url));
  const image = document.createElement('img');
  const painter = new FramePainter(image);
  const decoded = (event = 'load') => image.dispatchEvent(new Event(event));
  return { image, painter, kept, decoded };
}

const frame = (): Blob => new Blob(['jpeg']);

test('~LIVE-020 while a picture is decoded only the newest waits, and each address is given back', () => {
  const { image, painter, kept, decoded } = begin();
  painter.show(frame());
  for (let count = 0; count < 5; count += 1) painter.show(frame());
  expect(image.src).toBe('blob:1');
  decoded();
  expect([image.src, [...kept]]).toEqual(['blob:2', ['blob:1', 'blob:2']]);
  decoded();
  expect([image.src, [...kept]]).toEqual(['blob:2', ['blob:2']]);
});

test('a picture that cannot be decoded gives way to the next', () => {
  const { image, painter, decoded } = begin();
  painter.show(frame());
  painter.show(frame());
  decoded('error');
  expect(image.src).toBe('blob:2');
});

test('LIVE-017 nothing of a picture is kept when it is over', () => {
  const { image, painter, kept, decoded } = begin();
  painter.show(frame());
  decoded();
  painter.show(frame());
  painter[Symbol.dispose]();
  expect([kept.size, image.hasAttribute('src')]).toEqual([0, false]);
  decoded();
  expect(kept.size).toBe(0);
});
