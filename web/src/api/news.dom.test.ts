import { accountRoutes } from '@nazar/contract/accounts.ts';
import type { News } from '@nazar/contract/live.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '#testing/fake-socket.ts';
import { answer } from '#testing/server.ts';
import { reachable } from './connection.ts';
import { openNews } from './news-socket.ts';
import { listen, spread } from './news.ts';

const quiet = { onNews: spread, onOpen: () => undefined, onLost: () => undefined };

const changed: News = { kind: 'changed', what: 'cameras' };

beforeEach(() => {
  localStorage.setItem('auth-token', 'good');
});
afterEach(() => vi.useRealTimers());

test('the news socket introduces itself with the token and passes on what it receives', () => {
  const received: News[] = [];
  const stop = listen((news) => received.push(news));
  using _news = openNews(quiet);
  const socket = FakeSocket.opened[0];
  expect(socket?.url).toBe('ws://localhost:8080/secure-api/news/ws/');
  socket?.accept();
  expect(socket?.sent).toEqual([JSON.stringify({ access: 'good' })]);
  socket?.receive(changed);
  stop();
  socket?.receive(changed);
  expect(received).toEqual([changed]);
});

test('a dropped socket comes back with growing pauses, and stops when no one wants news', () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const news = openNews(quiet);
  const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 15_000];
  for (const [index, pauseMs] of pauses.entries()) {
    FakeSocket.opened.at(-1)?.drop();
    vi.advanceTimersByTime(pauseMs - 1);
    expect(FakeSocket.opened).toHaveLength(index + 1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.opened).toHaveLength(index + 2);
  }
  news[Symbol.dispose]();
  expect(FakeSocket.opened.at(-1)?.closed).toBe(true);
  FakeSocket.opened.at(-1)?.drop();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.opened).toHaveLength(pauses.length + 1);
});

test('a socket comes back at once when the server answers again', () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  using _ = openNews(quiet);
  for (const pauseMs of [500, 1000, 2000]) {
    FakeSocket.opened.at(-1)?.drop();
    vi.advanceTimersByTime(pauseMs);
  }
  FakeSocket.opened.at(-1)?.drop();
  reachable.set(false);
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.opened).toHaveLength(4);
  reachable.set(true);
  vi.advanceTimersByTime(500);
  expect(FakeSocket.opened).toHaveLength(5);
});

test('a socket whose place another one has does not come back at once', () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  using _ = openNews(quiet);
  FakeSocket.opened.at(-1)?.dispatchEvent(new CloseEvent('close', { code: 1013 }));
  vi.advanceTimersByTime(14_999);
  expect(FakeSocket.opened).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.opened).toHaveLength(2);
});

test('~NSH-003 a socket closed for its token comes back with a renewed one', async () => {
  localStorage.setItem('refresh-token', 'spare');
  answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  using _news = openNews(quiet);
  FakeSocket.opened[0]?.drop(1008);
  await vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(2), { timeout: 5000 });
  FakeSocket.opened[1]?.accept();
  expect(FakeSocket.opened[1]?.sent).toEqual([JSON.stringify({ access: 'fresh' })]);
});
