/** The bell: how many notifications are not read, and the newest of them, whose code comes with the first press. */
import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSeeing } from '#api/see-as.ts';
import { unreadQuery } from '#features/notifications/unread.ts';
import type { NotificationPanelProps } from '#features/notifications/panel/notification-panel.tsx';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { IconButton } from '#ui/icon-button.tsx';

const { Component: Panel, preload } = onDemand<NotificationPanelProps>(async () => {
  const [loaded] = await Promise.all([
    import('#features/notifications/panel/notification-panel.tsx'),
    needSentences('notification-panel'),
  ]);
  return loaded.NotificationPanel;
});

/** What the badge has room for. */
const MOST_SHOWN = 9;

/** Notifications are one's own: a reader who sees as another user has no bell. */
export function Bell() {
  return useSeeing() === null ? <OwnBell /> : null;
}

function OwnBell() {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const count = useQuery(unreadQuery()).data?.unread_count ?? 0;
  return (
    <>
      <IconButton
        ref={button}
        label={t('header.bell', { count })}
        tooltip={false}
        className="relative"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void preload().catch(() => undefined)}
        onClick={() => setOpen(!isOpen)}
      >
        <BellIcon aria-hidden />
        {count > 0 && (
          <span
            aria-hidden
            className="figures absolute top-0.5 right-0.5 min-w-4 rounded-full bg-[#dc2626] px-1 text-center text-[0.625rem] leading-4 font-semibold text-white touch:top-1.5 touch:right-1.5"
          >
            {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
          </span>
        )}
      </IconButton>
      {isOpen && <Panel bell={button} unread={count} onClose={() => setOpen(false)} />}
    </>
  );
}
