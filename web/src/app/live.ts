/** The only subscriber of the server's news: refreshes the lists that changed. */
import type { News } from '@nazar/contract/live.ts';
import { sightingRoutes } from '@nazar/contract/sightings.ts';
import type { Query, QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, openNews } from '#api/news.ts';
import { outdate, refresh } from '#api/query.ts';

export function useFollowNews(client: QueryClient, signedIn: boolean): void {
  useEffect(() => {
    if (!signedIn) return undefined;
    const stop = listen((news) => follow(client, news));
    let first = true;
    const socket = openNews(() => {
      // What happened while the line was down is asked again.
      if (!first) void outdate(client, {});
      first = false;
    });
    return () => {
      stop();
      socket[Symbol.dispose]();
    };
  }, [client, signedIn]);
}

function follow(client: QueryClient, news: News): void {
  if (news.kind !== 'changed') return;
  if (news.what !== 'visits') void refresh(client, news.what);
  else void refresh(client, 'detections', { isKept: isWrittenByNews });
}

/** The list of the newest visits, while it is shown, takes them from the news. */
const isWrittenByNews = (query: Query): boolean =>
  query.queryKey[1] === sightingRoutes.detections.path && query.isActive();
