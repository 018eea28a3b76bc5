/** The webhooks, how each is doing, and what can be done with it. */
import type { Webhook } from '@nazar/contract/webhooks.ts';
import { KeyRound, Pencil, Send, Trash2, Webhook as Sign } from 'lucide-react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Switch } from '#ui/switch.tsx';
import { useChangeWebhook, useSendFailedAgain } from './queries.ts';

/** What is open: a new webhook, or what is done with one. */
export type Open =
  | { readonly what: 'add' }
  | { readonly what: 'edit' | 'delete' | 'test' | 'secret'; readonly webhook: Webhook };

export interface WebhookListProps {
  webhooks: readonly Webhook[];
  onOpen: (open: Open) => void;
  onNotice: (text: string) => void;
}

export function WebhookList({ webhooks, onOpen, onNotice }: WebhookListProps) {
  const { t } = useTranslation();
  const change = useChangeWebhook();
  const again = useSendFailedAgain();
  if (webhooks.length === 0) {
    return <EmptyState icon={<Sign />} title={t('webhooks.none')} text={t('webhooks.noneText')} />;
  }
  const error = change.error ?? again.error;
  return (
    <>
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      <RowList label={t('webhooks.title')}>
        {webhooks.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            isBusy={change.isPending && change.variables.id === webhook.id}
            isSending={again.isPending && again.variables === webhook.id}
            onSwitch={(isEnabled) =>
              change.mutate({ id: webhook.id, change: { is_enabled: isEnabled } })
            }
            onAgain={() =>
              again.mutate(webhook.id, {
                onSuccess: ({ count }) => onNotice(t('webhooks.sentAgain', { count })),
              })
            }
            onOpen={onOpen}
          />
        ))}
      </RowList>
    </>
  );
}

const stateOf = (webhook: Webhook) => {
  if (webhook.is_gone) return 'gone';
  if (!webhook.is_enabled) return 'off';
  if (webhook.paused_until !== null) return 'paused';
  if (webhook.failures > 0) return 'failing';
  return webhook.last_delivered_at === null ? 'new' : 'ok';
};
const tones: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  gone: 'danger',
  off: 'neutral',
  paused: 'danger',
  failing: 'warning',
  new: 'neutral',
  ok: 'success',
};

interface WebhookRowProps {
  webhook: Webhook;
  isBusy: boolean;
  isSending: boolean;
  onSwitch: (isEnabled: boolean) => void;
  onAgain: () => void;
  onOpen: (open: Open) => void;
}

function WebhookRow({ webhook, isBusy, isSending, onSwitch, onAgain, onOpen }: WebhookRowProps) {
  const { t } = useTranslation();
  const { name, origin, content, failed, is_enabled } = webhook;
  const state = stateOf(webhook);
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <div className="grid min-w-48 flex-1 grid-cols-1 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-ui font-medium [overflow-wrap:anywhere]">{name}</span>
          <Badge tone={tones[state]}>{t(`webhooks.states.${state}`)}</Badge>
        </div>
        <p className="text-meta text-muted [overflow-wrap:anywhere]">{origin}</p>
        <p className="text-meta text-muted">{t(`webhooks.contents.${content}`)}</p>
        <Doing webhook={webhook} />
        {failed > 0 && is_enabled && (
          <Button
            look="link"
            className="justify-self-start text-left"
            busy={isSending}
            aria-label={t('webhooks.sendFailedOf', { name })}
            onClick={onAgain}
          >
            {t('webhooks.sendFailed')}
          </Button>
        )}
      </div>
      <div className="flex items-center gap-1">
        <Switch
          aria-label={t('webhooks.enabledOf', { name })}
          checked={is_enabled}
          disabled={isBusy}
          onChange={({ target }) => onSwitch(target.checked)}
        />
        <Deeds webhook={webhook} onOpen={onOpen} />
      </div>
    </li>
  );
}

function Deeds({ webhook, onOpen }: Pick<WebhookRowProps, 'webhook' | 'onOpen'>) {
  const { t } = useTranslation();
  const { name } = webhook;
  const deeds = [
    { what: 'test', label: t('webhooks.testOf', { name }), icon: <Send aria-hidden /> },
    { what: 'edit', label: t('webhooks.editOf', { name }), icon: <Pencil aria-hidden /> },
    { what: 'secret', label: t('webhooks.secretOf', { name }), icon: <KeyRound aria-hidden /> },
    { what: 'delete', label: t('webhooks.deleteOf', { name }), icon: <Trash2 aria-hidden /> },
  ] as const;
  return deeds.map(({ what, label, icon }) => (
    <IconButton key={what} label={label} onClick={() => onOpen({ what, webhook })}>
      {icon}
    </IconButton>
  ));
}

/** What waits, what failed, and when it goes on. */
function Doing({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { waiting, failed, failures, paused_until: paused, last_delivered_at: last } = webhook;
  const lines = [
    webhook.is_gone && t('webhooks.goneText'),
    paused !== null &&
      t('webhooks.pausedText', {
        count: failures,
        time: formatTime(paused, { timeStyle: 'medium' }),
      }),
    waiting > 0 && t('webhooks.waiting', { count: waiting }),
    failed > 0 && t('webhooks.failedEvents', { count: failed }),
    last !== null && t('webhooks.lastDelivered', { time: formatTime(last) }),
    webhook.old_secret_until !== null &&
      t('webhooks.oldSecret', { time: formatTime(webhook.old_secret_until) }),
  ].filter((line) => line !== false);
  return lines.map((line) => (
    <p key={line} className="text-meta text-muted">
      {line}
    </p>
  ));
}
