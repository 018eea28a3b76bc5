/** The news of the whole application: components receive them by `useNews`; `news-socket.ts` brings them. */
import type { News } from '@nazar/contract/live.ts';
import { useEffect, useRef } from 'react';

type Kind = News['kind'];
export type NewsOf<K extends Kind> = Extract<News, { kind: K }>;

const listeners = new Set<(news: News) => void>();

export function listen(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function spread(news: News): void {
  for (const listener of listeners) listener(news);
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
