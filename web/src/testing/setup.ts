import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { startSentences } from '#lib/i18n.ts';
import { pageFetch } from './page-fetch.ts';
import { FakeSocket } from './fake-socket.ts';
import { refusedFields, server } from './server.ts';

// Waiting ends with what is waited for; a busy machine needs more than the second that is usual.
configure({ asyncUtilTimeout: 10_000 });

/** What this test asked for, and what of it no handler answers; what an earlier one left behind is not its fault. */
const asked = new Set<string>();
const unanswered: string[] = [];

// What browsers have and jsdom has not.
vi.stubGlobal('matchMedia', (query: string): Partial<MediaQueryList> => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
// Not stubbed: it stays where a test takes away what it has stubbed itself.
globalThis.ResizeObserver = class implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
// It draws nothing; what is drawn is said in words, too. A test of drawing brings its own.
HTMLCanvasElement.prototype.getContext = () => null;
let pictures = 0;
URL.createObjectURL = () => `blob:picture-${(pictures += 1)}`;
URL.revokeObjectURL = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

// Files share a process and its globals: what one puts in place it takes away.
const fetchOfNode = globalThis.fetch;
beforeAll(async () => {
  server.listen({
    onUnhandledFrame: ({ frame }) => {
      const { request } = frame.data as { request: Request };
      const name = `${request.method} ${request.url}`;
      if (asked.has(name)) unanswered.push(name);
      throw new Error(`no handler answers ${name}`);
    },
  });
  globalThis.fetch = await pageFetch(globalThis.fetch, (name) => asked.add(name));
  vi.stubGlobal('WebSocket', FakeSocket);
  await startSentences('en');
});
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  asked.clear();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
  FakeSocket.opened.length = 0;
  const lacking = unanswered.splice(0);
  const refused = refusedFields.splice(0);
  if (lacking.length > 0) throw new Error(`no handler answers ${lacking.join(', ')}`);
  if (refused.length > 0) throw new Error(`the server knows no ${refused.join(', ')}`);
});
afterAll(() => {
  server.close();
  globalThis.fetch = fetchOfNode;
});
