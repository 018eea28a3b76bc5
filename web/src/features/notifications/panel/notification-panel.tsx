/**
 * What opens at the bell, over Radix: the newest notifications. Not modal and not in a portal, as menus are not: it
 * stays inside the landmark of the header, and is placed by `position: fixed`.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Popover as Primitive } from 'radix-ui';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { NotificationItem } from '../notification-item.tsx';
import { newestQuery } from '../queries.ts';
import { useChanges, type NotificationChanges } from '../use-changes.ts';

export interface NotificationPanelProps {
  /** The button that opened it: the focus returns to it. */
  bell: RefObject<HTMLButtonElement | null>;
  unread: number;
  onClose: () => void;
}

/** Once everything is read there is nothing more to do here. */
const CLOSE_AFTER_MS = 2000;

function useCloseWhenRead(unread: number, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  const wasUnread = useRef(false);
  useEffect(() => {
    if (unread > 0) wasUnread.current = true;
    if (unread > 0 || !wasUnread.current) return undefined;
    const timer = setTimeout(() => close.current(), CLOSE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [unread]);
}

export function NotificationPanel({ bell, unread, onClose }: NotificationPanelProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  useCloseWhenRead(unread, onClose);
  // A press on the bell is the bell's own affair: it closes what it opened.
  const leaveToBell = (event: { target: EventTarget | null; preventDefault: () => void }) => {
    const { target } = event;
    if (target instanceof Node && bell.current?.contains(target) === true) event.preventDefault();
  };
  return (
    <Primitive.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Primitive.Anchor virtualRef={bell} />
      <Primitive.Content
        aria-label={t('notifications.title')}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        onInteractOutside={leaveToBell}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          (event.currentTarget as HTMLElement).focus();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          returnFocus(bell.current);
        }}
        className="overlay-card animate-appear z-50 w-80 max-w-[calc(100vw-1rem)] outline-none"
      >
        <Head unread={unread} changes={changes} />
        {changes.refused !== null && (
          <div className="px-3 pb-3">
            <Banner tone="error" onClose={changes.dismiss}>
              {changes.refused}
            </Banner>
          </div>
        )}
        <Newest changes={changes} onClose={onClose} />
        <div className="border-t border-line p-2 text-center">
          <Link
            to="/notifications"
            onClick={onClose}
            className="inline-grid min-h-8 place-items-center px-3 text-ui font-medium text-primary-text underline-offset-4 hover:underline touch:min-h-11"
          >
            {t('notifications.viewAll')}
          </Link>
        </div>
      </Primitive.Content>
    </Primitive.Root>
  );
}

/** Unless the reader went on to something else meanwhile. */
function returnFocus(bell: HTMLButtonElement | null): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) {
    bell?.focus({ preventScroll: true });
  }
}

interface HeadProps {
  unread: number;
  changes: NotificationChanges;
}

function Head({ unread, changes }: HeadProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center justify-between gap-2 p-3">
      <h2 className="text-body font-semibold">{t('notifications.title')}</h2>
      <Button
        look="link"
        busy={changes.isMarkingAll}
        // Not disabled: who pressed it keeps the focus.
        aria-disabled={unread === 0 || changes.isMarkingAll || undefined}
        onClick={() => unread > 0 && void changes.markAllAsRead()}
      >
        {t('notifications.markAll')}
      </Button>
    </div>
  );
}

function Newest({ changes, onClose }: { changes: NotificationChanges; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(newestQuery());
  return (
    <>
      <div className="px-3 empty:hidden">
        <StaleNote queries={[query]} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled by keys, too */}
      <div className="max-h-[350px] overflow-y-auto border-t border-line" tabIndex={-1}>
        <QueryView
          query={query}
          failedTitle={t('notifications.failed')}
          skeleton={<Skeleton className="m-3 h-40" />}
        >
          {({ results }) =>
            results.length === 0 ? (
              <p className="p-6 text-center text-ui text-muted">{t('notifications.none')}</p>
            ) : (
              <ul
                aria-label={t('notifications.title')}
                className="grid grid-cols-1 divide-y divide-line"
              >
                {results.map((notification) => (
                  <NotificationItem
                    key={notification.id}
                    notification={notification}
                    onRead={(read) => void changes.markAsRead(read)}
                    onFollow={onClose}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </div>
    </>
  );
}
