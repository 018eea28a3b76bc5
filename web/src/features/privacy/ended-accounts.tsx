import { privacyRoutes, type EndedAccount } from '@nazar/contract/privacy.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { endedAccountsQuery } from './queries.ts';

/** Whose people are about to be erased, and the way to keep them. */
export function EndedAccounts({ onNotice }: { onNotice: (text: string) => void }) {
  const { t } = useTranslation();
  const user = useUser();
  const accounts = useQuery(endedAccountsQuery());
  const takeOver = useChange('privacy', ({ user_id }: EndedAccount) =>
    call(privacyRoutes.handOver, { params: { id: user_id }, body: { to: user.id } }),
  );
  return (
    <Card title={t('privacy.ended')}>
      <p className="text-ui text-muted">{t('privacy.endedText')}</p>
      {takeOver.isError && <Banner tone="error">{problemSentence(takeOver.error)}</Banner>}
      <QueryView query={accounts} skeleton={<Skeleton className="mt-3 h-14" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="mt-3 text-ui">{t('privacy.noEnded')}</p>
          ) : (
            <RowList label={t('privacy.ended')}>
              {results.map((account) => (
                <AccountRow
                  key={account.user_id}
                  account={account}
                  busy={takeOver.isPending && takeOver.variables === account}
                  onTakeOver={
                    mayChangeCameras(user)
                      ? () =>
                          takeOver.mutate(account, {
                            onSuccess: () => onNotice(t('privacy.takenOver')),
                          })
                      : null
                  }
                />
              ))}
            </RowList>
          )
        }
      </QueryView>
    </Card>
  );
}

interface AccountRowProps {
  account: EndedAccount;
  busy: boolean;
  onTakeOver: (() => void) | null;
}

function AccountRow({ account, busy, onTakeOver }: AccountRowProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const [ended, after] = [formatTime(account.ended_at), formatTime(account.erase_after)];
  return (
    <Row
      title={t('privacy.people', { count: account.people })}
      text={t('privacy.endedRow', { ended, after })}
      aside={
        onTakeOver && (
          <Button look="secondary" size="small" busy={busy} onClick={onTakeOver}>
            {t('privacy.takeOver')}
          </Button>
        )
      }
    />
  );
}
