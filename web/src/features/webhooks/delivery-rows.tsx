/** Deliveries as a table and, where there is no room for one, as rows. */
import type {
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookEvent,
} from '@nazar/contract/webhooks.ts';
import { RotateCw } from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { DataTable, RowList, type Column } from '#ui/data-list.tsx';
import { IconButton } from '#ui/icon-button.tsx';

export interface DeliveriesProps {
  deliveries: readonly WebhookDelivery[];
  isSending: (id: string) => boolean;
  onAgain: (id: string) => void;
}

const tones: Readonly<Record<WebhookDeliveryState, Tone>> = {
  waiting: 'info',
  delivered: 'success',
  failed: 'danger',
};

function State({ state }: { state: WebhookDeliveryState }) {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`webhooks.deliveryStates.${state}`)}</Badge>;
}

/** The words of one delivery. */
function useWords() {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const events: Readonly<Record<WebhookEvent, string>> = {
    'alert.raised': t('webhooks.events.alert_raised'),
    'alert.over': t('webhooks.events.alert_over'),
    'webhook.test': t('webhooks.events.webhook_test'),
  };
  return {
    eventOf: ({ event }: WebhookDelivery): string => events[event],
    timeOf: (at: string): string => formatTime(at, { dateStyle: 'medium', timeStyle: 'medium' }),
    answerOf: ({ status, fault }: WebhookDelivery): string =>
      joined([
        ...(status === null ? [] : [t('webhooks.status', { status })]),
        ...(fault === null ? [] : [t(`webhooks.faults.${fault}`)]),
      ]),
  };
}

interface AgainProps extends Pick<DeliveriesProps, 'isSending' | 'onAgain'> {
  delivery: WebhookDelivery;
}

/** A test is made again by testing again, and what waits is sent by itself. */
function Again({ delivery, isSending, onAgain }: AgainProps) {
  const { t } = useTranslation();
  const { eventOf, timeOf } = useWords();
  if (delivery.state === 'waiting' || delivery.event === 'webhook.test') return null;
  const label = t('webhooks.againOf', {
    event: eventOf(delivery),
    time: timeOf(delivery.created_at),
  });
  return (
    <IconButton
      label={label}
      disabled={isSending(delivery.id)}
      onClick={() => onAgain(delivery.id)}
    >
      <RotateCw aria-hidden />
    </IconButton>
  );
}

const stateOf = ({ state }: WebhookDelivery) => <State state={state} />;

const againCell = (rest: Omit<AgainProps, 'delivery'>) => (delivery: WebhookDelivery) => (
  <Again delivery={delivery} {...rest} />
);

export function DeliveryTable({ deliveries, ...rest }: DeliveriesProps) {
  const { t } = useTranslation();
  const { eventOf, timeOf, answerOf } = useWords();
  const columns: Column<WebhookDelivery>[] = [
    { key: 'when', header: t('webhooks.when'), cell: (one) => timeOf(one.created_at) },
    {
      key: 'receiver',
      header: t('webhooks.receiver'),
      cell: (one) => one.receiver_name,
      className: '[overflow-wrap:anywhere]',
    },
    { key: 'event', header: t('webhooks.event'), cell: eventOf },
    { key: 'state', header: t('webhooks.state'), cell: stateOf },
    { key: 'tries', header: t('webhooks.tries'), cell: ({ tries }) => tries, numeric: true },
    { key: 'answer', header: t('webhooks.lastAnswer'), cell: answerOf },
    {
      key: 'next',
      header: t('webhooks.nextTry'),
      cell: ({ next_try_at: at }) => (at === null ? '' : timeOf(at)),
    },
    {
      key: 'actions',
      header: t('webhooks.actions'),
      hideHeader: true,
      cell: againCell(rest),
    },
  ];
  return (
    <DataTable
      caption={t('webhooks.log')}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
    />
  );
}

export function DeliveryRows({ deliveries, ...rest }: DeliveriesProps) {
  const { t } = useTranslation();
  const { eventOf, timeOf, answerOf } = useWords();
  return (
    <Card>
      <RowList label={t('webhooks.log')}>
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex items-start gap-3 py-3">
            <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
              <div className="flex flex-wrap items-center gap-2">
                <span className="text-ui font-medium">{eventOf(delivery)}</span>
                <State state={delivery.state} />
              </div>
              <p className="text-meta text-muted [overflow-wrap:anywhere]">
                {joined([delivery.receiver_name, timeOf(delivery.created_at)])}
              </p>
              <p className="text-meta text-muted">
                {joined([
                  `${t('webhooks.tries')}: ${delivery.tries}`,
                  ...[answerOf(delivery)].filter((text) => text !== ''),
                ])}
              </p>
              {delivery.next_try_at !== null && (
                <p className="text-meta text-muted">
                  {`${t('webhooks.nextTry')}: ${timeOf(delivery.next_try_at)}`}
                </p>
              )}
            </div>
            <Again delivery={delivery} {...rest} />
          </li>
        ))}
      </RowList>
    </Card>
  );
}
