import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { FacePicture } from '#parts/face-picture.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Banner } from '#ui/banner.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Spinner } from '#ui/spinner.tsx';
import type { StepFormProps } from './identify-form.tsx';
import { RadioRow } from './radio-row.tsx';
import { StepActions } from './step-actions.tsx';
import {
  changes,
  hasMergeable,
  mergeable,
  STRANGERS_PAGE_SIZE,
  strangersQuery,
} from './strangers.ts';

/** Another stranger who is the same person: their visits become this one's. */
export function MergeForm({ stranger, onCancel, onSaid }: StepFormProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [other, setOther] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const strangers = useQuery(strangersQuery({ page }));
  const merge = useChange('detections', (id: string) => changes.merge(stranger.id, id));
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(other === null);
        if (other === null) return;
        merge.mutate(other, { onSuccess: (now) => onSaid(now, t('strangers.merged')) });
      }}
    >
      <p className="text-ui text-muted">{t('strangers.mergeText')}</p>
      <QueryView query={strangers} skeleton={<Spinner />}>
        {({ results, count }) => (
          <>
            <fieldset className="grid grid-cols-1 gap-2 sm:grid-cols-2">
              <legend className="sr-only">{t('strangers.merge')}</legend>
              {mergeable(results, stranger).map((one) => (
                <RadioRow
                  key={one.id}
                  name="stranger"
                  value={one.id}
                  checked={other === one.id}
                  onCheck={() => setOther(one.id)}
                  picture={
                    <FacePicture
                      src={one.image}
                      isHidden={one.picture_hidden}
                      alt=""
                      className="size-12 rounded-control"
                      fallback={<UserX aria-hidden className="size-8 text-line-strong" />}
                    />
                  }
                  label={t('strangers.name', { number: one.number })}
                  text={<TimeAgo at={one.timestamp} />}
                />
              ))}
            </fieldset>
            {!hasMergeable({ count, results }, stranger) && (
              <p className="text-ui">{t('strangers.noOther')}</p>
            )}
            <Pagination
              page={page}
              pages={Math.ceil(count / STRANGERS_PAGE_SIZE)}
              onPage={setPage}
            />
          </>
        )}
      </QueryView>
      {missing && <Banner tone="error">{t('strangers.chooseOther')}</Banner>}
      <StepActions
        label={t('strangers.mergeConfirm')}
        busy={merge.isPending}
        refused={merge.isError ? problemSentence(merge.error) : null}
        onBack={onCancel}
      />
    </form>
  );
}
