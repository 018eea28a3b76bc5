import type { Erasure } from '@nazar/contract/privacy.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { formatNumber, useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CertificateDialog } from './certificate-dialog.tsx';
import { erasuresQuery, PAGE_SIZE } from './queries.ts';

export interface ErasureListProps {
  page: number;
  onPage: GoToPage;
}

/** What was erased, how far it is, and what proves it. */
export function ErasureList({ page, onPage }: ErasureListProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Erasure | null>(null);
  const erasures = useQuery({ ...erasuresQuery(page), refetchInterval: 5_000 });
  usePageInstead(pageInstead(erasures, page, PAGE_SIZE), onPage);
  return (
    <Card title={t('privacy.erasures')}>
      <QueryView query={erasures} skeleton={<Skeleton className="h-40" />}>
        {({ count, results }) => (
          <>
            {count === 0 && <p className="text-ui text-muted">{t('privacy.noErasures')}</p>}
            <RowList label={t('privacy.erasures')}>
              {results.map((erasure) => (
                <ErasureRow key={erasure.id} erasure={erasure} onShow={() => setShown(erasure)} />
              ))}
            </RowList>
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={onPage} />
          </>
        )}
      </QueryView>
      {shown && <CertificateDialog erasure={shown} onClose={() => setShown(null)} />}
    </Card>
  );
}

const tones = { removing: 'warning', cleaning: 'info', done: 'success' } as const;

/** What is gone of a person who was seen very often; '' before, and once all of it is. */
function removedSoFar(t: Translate, { state, removed }: Erasure): string {
  if (state !== 'removing') return '';
  const counted = (['pictures', 'visits'] as const).filter((name) => removed[name] > 0);
  return joined(
    counted.map((name) => `${t(`privacy.count.${name}`)}: ${formatNumber(removed[name])}`),
  );
}

function ErasureRow({ erasure, onShow }: { erasure: Erasure; onShow: () => void }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { subject, reason, state } = erasure;
  const requested = formatTime(erasure.requested_at);
  const about =
    state === 'done'
      ? t('privacy.requested', { time: requested })
      : t('privacy.requestedDue', { time: requested, due: formatTime(erasure.due_at) });
  return (
    <Row
      title={joined([t(`privacy.subject.${subject}`), t(`privacy.reason.${reason}`)])}
      text={joined([about, removedSoFar(t, erasure)])}
      aside={
        <span className="flex flex-wrap items-center justify-end gap-2">
          <Badge tone={tones[state]}>{t(`privacy.state.${state}`)}</Badge>
          {erasure.certificate && (
            <Button
              look="secondary"
              size="small"
              aria-label={t('privacy.certificateOf', { time: requested })}
              onClick={onShow}
            >
              {t('privacy.certificate')}
            </Button>
          )}
        </span>
      }
    />
  );
}
