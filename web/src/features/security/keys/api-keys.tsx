import { ownSecurityRoutes, type ApiKey } from '@nazar/contract/own-security.ts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { ask, useChange } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { CreateKeyDialogProps } from './create-key-dialog.tsx';

const { Component: CreateKeyDialog } = onDemand<CreateKeyDialogProps>(
  async () => (await import('./create-key-dialog.tsx')).CreateKeyDialog,
);

/** The keys there are, a new one, and the end of one. */
export function ApiKeys({ onNotice }: { onNotice: (text: string) => void }) {
  const { t } = useTranslation();
  const [creates, setCreates] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const keys = useQuery(ask('account', ownSecurityRoutes.keys, {}));
  const revoke = useChange('account', ({ id }: ApiKey) =>
    call(ownSecurityRoutes.revokeKey, { params: { id } }),
  );
  const confirm = (key: ApiKey): void =>
    revoke.mutate(key, {
      onSuccess: () => {
        setLeaving(null);
        onNotice(t('keys.revoked', { name: key.name }));
      },
    });
  return (
    <div className="mt-5 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-ui font-semibold">{t('keys.title')}</h3>
        <Button look="secondary" size="small" onClick={() => setCreates(true)}>
          <KeyRound aria-hidden />
          {t('keys.add')}
        </Button>
      </div>
      <QueryView query={keys} skeleton={<Skeleton className="mt-3 h-14" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="mt-2 text-ui text-muted">{t('keys.empty')}</p>
          ) : (
            <RowList label={t('keys.title')}>
              {results.map((key) => (
                <KeyRow key={key.id} apiKey={key} onRevoke={() => setLeaving(key)} />
              ))}
            </RowList>
          )
        }
      </QueryView>
      {creates && <CreateKeyDialog open onClose={() => setCreates(false)} />}
      <AlertDialog
        open={leaving !== null}
        onClose={() => {
          setLeaving(null);
          revoke.reset();
        }}
        onConfirm={() => leaving !== null && confirm(leaving)}
        title={t('keys.revokeTitle', { name: leaving?.name ?? '' })}
        description={t('keys.revokeText')}
        confirmLabel={t('keys.revoke')}
        danger
        busy={revoke.isPending}
        error={revoke.isError ? problemSentence(revoke.error) : undefined}
      />
    </div>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { name, scopes, expires_at, last_used_at, last_used_ip } = apiKey;
  const used =
    last_used_at === null
      ? t('keys.neverUsed')
      : t('keys.used', { time: formatTime(last_used_at), ip: last_used_ip });
  const until = t('keys.until', { time: formatTime(expires_at, { dateStyle: 'medium' }), used });
  const may = joined(scopes.map((scope) => t(`keys.scope.${scope}`)));
  return (
    <Row
      title={name}
      text={joined([may, until])}
      aside={
        <Button
          look="secondary"
          size="small"
          aria-label={t('keys.revokeOf', { name })}
          onClick={onRevoke}
        >
          {t('keys.revoke')}
        </Button>
      }
    />
  );
}
