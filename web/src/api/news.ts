/**
 * The news of the whole application over one WebSocket (contract/src/live.ts). Connects while it is asked
 * to, comes back by itself with growing pauses; `app/live.ts` is the only place that opens it, whoever
 * shows something asks `useNews`.
 */
import type { News } from '@nazar/contract/live.ts';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import { useEffect, useRef } from 'react';
import { seeing } from './see-as.ts';
import { renewTokens, accessToken } from './tokens.ts';

type Kind = News['kind'];
export type NewsOf<K extends Kind> = Extract<News, { kind: K }>;

const listeners = new Set<(news: News) => void>();

export function listen(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `react` for every piece of news of one kind while the component is shown. */
export function useNews<K extends Kind>(kind: K, react: (news: NewsOf<K>) => void): void {
  const latest = useRef(react);
  useEffect(() => {
    latest.current = react;
  }, [react]);
  useEffect(
    () => listen((news) => news.kind === kind && latest.current(news as NewsOf<K>)),
    [kind],
  );
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** What the server closes with when the token it was given is no longer good. */
const POLICY_VIOLATION = 1008;
/** A newer connection of this account has the place, or there is none. */
const TRY_AGAIN_LATER = 1013;

/** Keeps one socket open until disposed. `onOpen` runs at each connection: what was missed is asked again. */
export function openNews(onOpen: () => void): Disposable {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let over = false;

  const connect = (): void => {
    const token = accessToken();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}${newsSocketPath}`);
    socket.addEventListener('open', () => {
      const see_as = seeing.get()?.id;
      socket?.send(JSON.stringify({ access: token, ...(see_as !== undefined && { see_as }) }));
      onOpen();
    });
    socket.addEventListener('message', (event) => {
      pauseMs = FIRST_PAUSE_MS;
      const news = JSON.parse(String(event.data)) as News;
      for (const listener of listeners) listener(news);
    });
    socket.addEventListener('close', (event) => {
      if (over) return;
      if (event.code === TRY_AGAIN_LATER) pauseMs = LONGEST_PAUSE_MS;
      // Half of the pause is chance, so that a restarted server is not met by everybody at once.
      const waitMs = pauseMs * (0.5 + Math.random() / 2);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      timer = setTimeout(() => {
        if (event.code !== POLICY_VIOLATION) connect();
        else {
          const goOn = (alive: boolean): unknown => alive && !over && connect();
          // Without an answer it may well be alive: the next connection tells.
          void renewTokens(token).then(goOn, () => goOn(true));
        }
      }, waitMs);
    });
  };

  connect();
  return {
    [Symbol.dispose]() {
      over = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
