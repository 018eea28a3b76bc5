import { afterEach, expect, test, vi } from 'vitest';
import { saveBlob, saveFrom } from './save-file.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function watchLinks(): string[] {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.getAttribute('download')} ${this.getAttribute('href')}`);
  });
  return saved;
}

test('bytes are saved under their name, and are let go of only once the browser has read them', () => {
  vi.useFakeTimers();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:one');
  const gone = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const saved = watchLinks();
  saveBlob(new Blob(['bytes']), 'a.tar');
  expect(saved).toEqual(['a.tar blob:one']);
  vi.advanceTimersByTime(59_000);
  expect(gone).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(gone).toHaveBeenCalledExactlyOnceWith('blob:one');
});

test('a file of the server keeps the name that the server gives it', () => {
  const saved = watchLinks();
  saveFrom('/file?ticket=1');
  expect(saved).toEqual([' /file?ticket=1']);
});
