import { securityEventRoutes, type SecurityEvent } from '@nazar/contract/security-events.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { joined } from '#lib/joined.ts';
import { deviceOf } from '#parts/device.ts';
import { QueryView } from '#parts/query-view.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** What its owner must be able to notice, with or without mail. */
export function EventList() {
  const { t } = useTranslation();
  const events = useQuery(ask('account', securityEventRoutes.list, {}));
  return (
    <Card title={t('security.events')}>
      <p className="text-ui text-muted">{t('security.eventsText')}</p>
      <QueryView query={events} skeleton={<Skeleton className="mt-3 h-14" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="pt-3 text-ui text-muted">{t('security.noEvents')}</p>
          ) : (
            <RowList label={t('security.events')}>
              {results.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </RowList>
          )
        }
      </QueryView>
    </Card>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const { t } = useTranslation();
  const { kind, by, ip, user_agent, at } = event;
  const parts = [t(`security.eventBy.${by}`), deviceOf(user_agent), ip];
  return (
    <li className="py-2.5">
      <p className="text-ui font-medium">{t(`security.event.${kind}`)}</p>
      <p className="text-meta text-muted">
        {joined(parts)}
        {' · '}
        <TimeAgo at={at} />
      </p>
    </li>
  );
}
