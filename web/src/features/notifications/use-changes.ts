/** Marks notifications as read and deletes them; says what was refused. */
import { notificationRoutes } from '@nazar/contract/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { Notification } from './queries.ts';

/** It was deleted elsewhere: nothing is left to be changed. */
const isGone = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'notification_not_found';

export interface NotificationChanges {
  readonly markAsRead: (notification: Notification) => Promise<void>;
  readonly markAllAsRead: () => Promise<void>;
  readonly isMarkingAll: boolean;
  readonly remove: (notification: Notification) => Promise<void>;
  /** Ids of those that were deleted here, or are being deleted. */
  readonly deleted: ReadonlySet<string>;
  /** The sentence about what failed last. */
  readonly refused: string | null;
  readonly dismiss: () => void;
}

export function useChanges(): NotificationChanges {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const [isMarkingAll, setMarkingAll] = useState(false);
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());

  const change = async (
    send: () => Promise<unknown>,
    sentence: (message: string) => string,
  ): Promise<boolean> => {
    setRefused(null);
    try {
      await send();
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      setRefused(sentence(problemSentence(error)));
      return false;
    } finally {
      void refresh(client, 'notifications');
    }
  };

  return {
    markAsRead: async ({ id, title }) => {
      await change(
        () => call(notificationRoutes.read, { params: { id } }),
        (message) => t('notifications.notRead', { title, message }),
      );
    },
    markAllAsRead: async () => {
      setMarkingAll(true);
      await change(
        () => call(notificationRoutes.markAsRead, { body: { all: true } }),
        (message) => t('notifications.notAllRead', { message }),
      );
      setMarkingAll(false);
    },
    isMarkingAll,
    remove: async ({ id, title }) => {
      setDeleted((before) => new Set(before).add(id));
      const isDone = await change(
        () => call(notificationRoutes.remove, { params: { id } }),
        (message) => t('notifications.notDeleted', { title, message }),
      );
      if (!isDone) setDeleted((before) => new Set([...before].filter((one) => one !== id)));
    },
    deleted,
    refused,
    dismiss: () => setRefused(null),
  };
}
