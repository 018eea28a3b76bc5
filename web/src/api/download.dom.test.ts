import { systemRoutes } from '@nazar/contract/system.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, refusal } from '#testing/server.ts';
import { download } from './download.ts';
import { Problem } from './problem.ts';

const id = '22222222-2222-4222-8222-222222222222';
const files: Blob[] = [];
const names: string[] = [];

beforeEach(() => {
  files.length = 0;
  names.length = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
});
afterEach(() => vi.restoreAllMocks());

/** A body that comes in these parts, and then ends, or breaks on request. */
const sent = (parts: readonly string[], broken?: Promise<void>): Response => {
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      for (const part of parts) stream.enqueue(new TextEncoder().encode(part));
      if (broken === undefined) stream.close();
      else await broken.then(() => stream.error(new Error('gone')));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/x-tar' } });
};

test('a file comes whole, with its kind, under its name, and says how much has come', async () => {
  localStorage.setItem('auth-token', 'good');
  const asked = answer(systemRoutes.supportBundle, sent(['one', 'three']));
  const progress: number[] = [];
  await download(systemRoutes.supportBundle, 'a.tar', {
    onProgress: (bytes) => progress.push(bytes),
  });
  expect(names).toEqual(['a.tar']);
  expect(await files[0]?.text()).toBe('onethree');
  expect(files[0]?.type).toBe('application/x-tar');
  expect(progress.at(-1)).toBe(8);
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer good');
});

test('the request of a route goes along: its method, its path and its body', async () => {
  const asked = answer(privacyRoutes.export, sent(['x']));
  await download(privacyRoutes.export, 'p.tar', { params: { id }, body: { password: 'mine' } });
  expect(asked.map(({ params, body }) => ({ ...params, body }))).toEqual([
    { id, body: { password: 'mine' } },
  ]);
});

test('a refusal is shown, and nothing is saved', async () => {
  answer(systemRoutes.supportBundle, refusal(403, 'forbidden', 'You may not.'));
  await expect(download(systemRoutes.supportBundle, 'a.tar', {})).rejects.toMatchObject({
    detail: 'You may not.',
  });
  expect(names).toEqual([]);
});

test('a file that breaks off is no file: it is reported as a server that does not answer', async () => {
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>();
  // The fake server passes no broken body on.
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(sent(['half'], broken));
  const options = { onProgress: () => breakOff() };
  const fault: unknown = await download(systemRoutes.supportBundle, 'a.tar', options).catch(
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Problem);
  expect((fault as Problem).status).toBe(0);
  expect(names).toEqual([]);
});

test('a cancelled download is not saved', async () => {
  answer(systemRoutes.supportBundle, () => new Promise<never>(() => undefined));
  const work = new AbortController();
  const done = download(systemRoutes.supportBundle, 'a.tar', { signal: work.signal });
  work.abort();
  await expect(done).rejects.toThrow(/abort/i);
  expect(names).toEqual([]);
});
