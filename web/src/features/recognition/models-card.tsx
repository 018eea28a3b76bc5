import { modelRoutes, type ModelsReply } from '@nazar/contract/models.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ChooseModel } from './choose-model.tsx';
import { ModelChangeView } from './model-change.tsx';

const CHANGING_MS = 2_000;
const IDLE_MS = 30_000;

/** Which models recognise faces, and changing to others. */
export function ModelsCard() {
  const { t } = useTranslation();
  const query = useQuery({
    ...ask('settings', modelRoutes.read, {}),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? CHANGING_MS : IDLE_MS),
  });
  return (
    <Card title={t('models.title')} className="max-w-3xl">
      <QueryView query={query} skeleton={<Skeleton className="h-32" />}>
        {(models) => (
          <div className="grid gap-4">
            <Serving models={models} />
            {models.unavailable.map((id) => (
              <p key={id} className="text-meta text-muted">
                {t(id === models.awaited ? 'models.awaited' : 'models.unavailable', { id })}
              </p>
            ))}
            {models.change ? (
              <ModelChangeView change={models.change} />
            ) : (
              <ChooseModel models={models} />
            )}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

const isMoving = ({ change, serving }: ModelsReply): boolean =>
  change?.losses === null || (serving.is_installed && !serving.is_loaded);

function Serving({ models: { serving, installed, previous } }: { models: ModelsReply }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const license = installed.find(({ id }) => id === serving.id)?.license;
  return (
    <>
      {!serving.is_installed && <Banner tone="error">{t('models.missing')}</Banner>}
      <dl className="grid gap-1 text-ui">
        <dt className="text-meta text-muted">{t('models.serving')}</dt>
        <dd className="font-medium">
          {t('models.name', serving)}
          {serving.is_installed && !serving.is_loaded && (
            <span className="font-normal text-muted"> · {t('models.loading')}</span>
          )}
        </dd>
        {license !== undefined && (
          <>
            <dt className="mt-2 text-meta text-muted">{t('models.license')}</dt>
            <dd>{license}</dd>
          </>
        )}
      </dl>
      {previous && (
        <p className="text-meta text-muted">
          {t('models.previous', { id: previous.id, time: formatTime(previous.until) })}
        </p>
      )}
    </>
  );
}
