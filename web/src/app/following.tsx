/**
 * The only subscriber of the server's news: refreshes the lists that changed, and changes cameras wherever they are
 * shown. When the connection is lost, the server is asked at once whether it is there. What was done about alerts
 * without it is sent from here when it is back, whatever page is open.
 */
import type { News } from '@nazar/contract/live.ts';
import { notificationRoutes } from '@nazar/contract/notifications.ts';
import { systemRoutes } from '@nazar/contract/system.ts';
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#api/call.ts';
import { patchCamera } from '#api/known-cameras.ts';
import { openNews } from '#api/news-socket.ts';
import { syncAlertsWhenBack } from '#api/offline-alerts.ts';
import { outdate, refresh } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { unreadQuery } from '#features/notifications/unread.ts';

/** Many cameras may go and come at once: what counts them is asked for once. */
const COUNT_AFTER_MS = 500;

export interface FollowingProps {
  /** Passes news on to all other listeners. */
  spread: (news: News) => void;
}

/** Shows nothing. */
export function Following({ spread }: FollowingProps) {
  const client = useQueryClient();
  useEffect(() => {
    const following = followNews(client, spread);
    return () => following[Symbol.dispose]();
  }, [client, spread]);
  const { id } = useUser();
  useEffect(renewPush, [id]);
  useEffect(() => syncAlertsWhenBack(id, () => refresh(client, 'alerts')), [client, id]);
  return null;
}

/** Asks the browser first whether it was ever allowed, so that most pages load nothing for it. */
function renewPush(): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  // The device stays as it was: the next page tries again.
  const renewed = import('#parts/push/subscribing.ts').then(({ renew }) => renew());
  renewed.catch(() => undefined);
}

function followNews(client: QueryClient, spread: FollowingProps['spread']): Disposable {
  let counting: ReturnType<typeof setTimeout> | undefined;
  const count = (): void => {
    counting = undefined;
    void outdate(client, { queryKey: ['analytics'] });
  };
  let first = true;
  const socket = openNews({
    onNews(news) {
      follow(client, news);
      if (news.kind === 'camera') counting ??= setTimeout(count, COUNT_AFTER_MS);
      spread(news);
    },
    onOpen: () => {
      // What happened while the line was down is asked again.
      if (!first) void outdate(client, {});
      first = false;
    },
    onLost: () => void call(systemRoutes.alive, {}).catch(() => undefined),
  });
  return {
    [Symbol.dispose]() {
      clearTimeout(counting);
      socket[Symbol.dispose]();
    },
  };
}

function follow(client: QueryClient, news: News): void {
  if (news.kind === 'camera') {
    const { kind: _, camera_id: id, ...doing } = news;
    patchCamera(client, id, doing);
  }
  if (news.kind === 'notifications') {
    client.setQueryData(unreadQuery().queryKey, { unread_count: news.unread_count });
    void refresh(client, 'notifications', { isKept: isUnreadCount });
  }
  if (news.kind !== 'changed') return;
  if (news.what !== 'visits') void refresh(client, news.what);
  else void refresh(client, 'detections', { isKept: isWrittenByNews });
}

const isUnreadCount = ({ queryKey }: Query): boolean =>
  queryKey[1] === notificationRoutes.unreadCount.path;

/** The list of the newest visits, while it is shown, takes them from the news. */
const isWrittenByNews = (query: Query): boolean =>
  query.meta?.['isWrittenByNews'] === true && query.isActive();
