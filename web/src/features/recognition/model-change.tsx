import { modelRoutes, type ModelChange } from '@nazar/contract/models.ts';
import { useId, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { formatList, useFormat } from '#lib/format.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Progress } from '#ui/progress.tsx';

/** How far a change is, what it would cost, and the ways out of it. */
export function ModelChangeView({ change }: { change: ModelChange }) {
  const { t } = useTranslation();
  const { losses } = change;
  const cancel = useChange('settings', () => call(modelRoutes.cancel, {}));
  return (
    <div className="grid gap-3">
      <HowFar change={change} />
      {losses && (
        <Banner tone="info">
          {t('models.losses', { count: losses.photos, id: change.to.id })}
        </Banner>
      )}
      {cancel.isError && <Banner tone="error">{problemSentence(cancel.error)}</Banner>}
      <div className="flex flex-wrap gap-3">
        {losses && <Agree change={change} losses={losses} />}
        <Button look="secondary" busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
          {t('models.cancel')}
        </Button>
      </div>
    </div>
  );
}

function HowFar({ change }: { change: ModelChange }) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const label = useId();
  const { to, total, done, failed, started_by: name } = change;
  const time = formatTime(change.started_at);
  return (
    <div className="grid gap-1.5">
      <p id={label} className="text-ui font-medium">
        {t('models.preparing', { id: to.id })}
      </p>
      <Progress aria-labelledby={label} max={Math.max(total, 1)} value={done + failed} />
      <p className="text-meta text-muted">
        {t('models.progress', { done: formatNumber(done + failed), total: formatNumber(total) })}
        {failed > 0 && ` · ${t('models.failed', { count: failed })}`}
      </p>
      <p className="text-meta text-muted">
        {name === '' ? t('models.begun', { time }) : t('models.begunBy', { time, name })}
      </p>
    </div>
  );
}

interface AgreeProps {
  change: ModelChange;
  losses: NonNullable<ModelChange['losses']>;
}

/** What is lost is named before it is. */
function Agree({ change, losses: { photos, people } }: AgreeProps) {
  const { t } = useTranslation();
  const [asks, setAsks] = useState(false);
  const { id } = change.to;
  const agree = useChange('settings', () =>
    call(modelRoutes.use, { body: { model: id, accept_losses: photos } }),
  );
  const names = formatList(people.map(({ name }) => name));
  const text = t('models.losses', { count: photos, id });
  return (
    <>
      <Button look="danger" onClick={() => setAsks(true)}>
        {t('models.agree')}
      </Button>
      <AlertDialog
        open={asks}
        title={t('models.agreeTitle', { id })}
        description={people.length === 0 ? text : `${text} ${t('models.losers', { names })}`}
        confirmLabel={t('models.agree')}
        danger
        busy={agree.isPending}
        error={agree.isError ? <Banner tone="error">{problemSentence(agree.error)}</Banner> : null}
        onConfirm={() => agree.mutate(undefined, { onSuccess: () => setAsks(false) })}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
