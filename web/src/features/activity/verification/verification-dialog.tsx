/** Whether the chain behind the activity log is as it was written (administrators): started here, run by the server. */
import type { ChainVerification, VerificationState } from '@nazar/contract/chain-verification.ts';
import { Download, ShieldCheck } from 'lucide-react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Progress } from '#ui/progress.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useCancel, useSaveFile, useStart, useVerification } from './queries.ts';
import { Result } from './result.tsx';

export interface VerificationDialogProps {
  onClose: () => void;
}

export function VerificationDialog({ onClose }: VerificationDialogProps) {
  const { t } = useTranslation();
  const query = useVerification();
  return (
    <Dialog
      open
      title={t('verification.title')}
      description={t('verification.text')}
      width="large"
      onClose={onClose}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-48" />}>
        {(state) => <Verification state={state} />}
      </QueryView>
    </Dialog>
  );
}

function Verification({ state: { latest, done } }: { state: VerificationState }) {
  const { t } = useTranslation();
  const save = useSaveFile();
  const start = useStart();
  const cancel = useCancel();
  const isRunning = latest?.state === 'running';
  const error = start.error ?? cancel.error ?? save.error;
  return (
    <div className="grid grid-cols-1 gap-4 text-ui">
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      {isRunning && <Running run={latest} />}
      {!isRunning && <Outcome latest={latest} />}
      {done?.result && (
        <>
          <When run={done} />
          <Result result={done.result} />
          <p className="text-muted">{t('verification.fileHint')}</p>
        </>
      )}
      <Actions>
        {done?.result && (
          <Button look="secondary" busy={save.isPending} onClick={() => save.mutate(done)}>
            <Download aria-hidden />
            {t('verification.save')}
          </Button>
        )}
        {isRunning ? (
          <Button look="secondary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('verification.stop')}
          </Button>
        ) : (
          <Button busy={start.isPending} onClick={() => start.mutate()}>
            <ShieldCheck aria-hidden />
            {done ? t('verification.again') : t('verification.start')}
          </Button>
        )}
      </Actions>
    </div>
  );
}

function Running({ run }: { run: ChainVerification }) {
  const { t } = useTranslation();
  const { done, total } = run;
  // Entries that came meanwhile are verified, too.
  const most = Math.max(total, done);
  return (
    <div className="grid gap-1.5">
      <Progress aria-label={t('verification.progress')} max={Math.max(most, 1)} value={done} />
      <output className="figures text-muted">
        {t('verification.running', { done, total: most })}
      </output>
      <p className="text-muted">{t('verification.goesOn')}</p>
    </div>
  );
}

/** How the last one ended, where it has no result. */
function Outcome({ latest }: { latest: ChainVerification | null }) {
  const { t } = useTranslation();
  if (latest === null) return <p>{t('verification.none')}</p>;
  const { state } = latest;
  if (state === 'done' || state === 'running') return null;
  return (
    <Banner tone={state === 'failed' ? 'error' : 'info'}>{t(`verification.ended.${state}`)}</Banner>
  );
}

function When({ run: { ended_at: at, asked_by: by } }: { run: ChainVerification }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  if (at === null) return null;
  const time = formatTime(at);
  return (
    <p className="text-muted">
      {by === null
        ? t('verification.endedAt', { time })
        : t('verification.endedBy', { time, name: by.name })}
    </p>
  );
}
