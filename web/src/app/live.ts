/** The only subscriber of the server's news: refreshes the lists that changed. */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, openNews } from '#api/news.ts';
import { refresh } from '#api/query.ts';

export function useFollowNews(client: QueryClient, signedIn: boolean): void {
  useEffect(() => {
    if (!signedIn) return undefined;
    const stop = listen((news) => {
      if (news.kind === 'changed') void refresh(client, news.what);
      if (news.kind === 'seen') void refresh(client, 'detections');
    });
    let first = true;
    const socket = openNews(() => {
      // What happened while the line was down is asked again.
      if (!first) void client.invalidateQueries();
      first = false;
    });
    return () => {
      stop();
      socket[Symbol.dispose]();
    };
  }, [client, signedIn]);
}
