/**
 * The one WebSocket of the news (contract/src/live.ts). Connects while it is asked to, comes back by itself with growing
 * pauses; `app/following.tsx` is the only place that opens it.
 */
import type { News } from '@nazar/contract/live.ts';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import { serverAnswered, reachable } from './connection.ts';
import { seeing } from './see-as.ts';
import { renewTokens, accessToken } from './tokens.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** What the server closes with when the token it was given is no longer good. */
const POLICY_VIOLATION = 1008;
/** A newer connection of this account has the place, or there is none. */
const TRY_AGAIN_LATER = 1013;

export interface NewsHooks {
  readonly onNews: (news: News) => void;
  /** At each connection: what was missed is asked again. */
  readonly onOpen: () => void;
  /** Each time there is none, or none any more: from then on nothing on the screen is of now. */
  readonly onLost: () => void;
}

/** Keeps one socket open until disposed. */
export function openNews({ onNews, onOpen, onLost }: NewsHooks): Disposable {
  let isOpen = false;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What is done when the pause is over; null: there is none. */
  let next: (() => void) | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let over = false;

  const connect = (): void => {
    const token = accessToken();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}${newsSocketPath}`);
    socket.addEventListener('open', () => {
      isOpen = true;
      serverAnswered();
      const see_as = seeing.get()?.id;
      socket?.send(JSON.stringify({ access: token, ...(see_as !== undefined && { see_as }) }));
      onOpen();
    });
    socket.addEventListener('message', (event) => {
      pauseMs = FIRST_PAUSE_MS;
      serverAnswered();
      onNews(JSON.parse(String(event.data)) as News);
    });
    socket.addEventListener('close', (event) => {
      // Up to this moment the connection would have delivered what happened.
      if (isOpen) serverAnswered();
      isOpen = false;
      if (over) return;
      onLost();
      if (event.code === TRY_AGAIN_LATER) pauseMs = LONGEST_PAUSE_MS;
      next = () => {
        next = null;
        if (event.code !== POLICY_VIOLATION) return connect();
        const goOn = (alive: boolean): unknown => alive && !over && connect();
        // Without an answer the session may well be alive: the next connection shows it.
        void renewTokens(token).then(goOn, () => goOn(true));
      };
      waitFor(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };
  // Half of the pause is random, so that not all browsers reconnect to a restarted server at once.
  const waitFor = (longestMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => next?.(), longestMs * (0.5 + Math.random() / 2));
  };
  // The server answers again: its news are not missed for the rest of a long pause.
  const stop = reachable.subscribe(() => {
    if (reachable.get() && next !== null) waitFor(FIRST_PAUSE_MS);
  });

  connect();
  return {
    [Symbol.dispose]() {
      over = true;
      stop();
      clearTimeout(timer);
      socket?.close();
    },
  };
}
