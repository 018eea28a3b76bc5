import { useId, useState, type SubmitEvent } from 'react';
import { HoldFields } from '@nazar/contract/recording-plans.ts';
import { problemSentence } from '#api/problem.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextareaField } from '#ui/fields.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import { Holds } from './holds.tsx';
import { asTimes, type Period } from './period.ts';
import { PeriodFields } from './period-fields.tsx';
import { useAddHold } from './queries.ts';
import { usePeriod } from './use-period.ts';

export interface HoldDialogProps {
  camera: NamedCamera;
  /** What to hold: a recording, or what is selected; null: nothing is. */
  range: Period | null;
  onClose: () => void;
}

/** What is evidence, and keeping more. */
export function HoldDialog({ camera, range, onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const seeing = useSeeing();
  const mayHold = mayChangeCameras(useUser()) && seeing === null;
  const add = useAddHold();
  const form = useId();
  return (
    <Dialog
      open
      title={t('handover.holdTitle', { name: camera.name })}
      description={t('handover.holdText')}
      onClose={onClose}
    >
      <div className="grid gap-6">
        {mayHold && <HoldForm id={form} camera={camera} range={range} add={add} />}
        <section className="grid gap-1">
          <h3 className="text-ui font-semibold">{t('handover.holds')}</h3>
          <Holds camera={camera} />
        </section>
      </div>
      {mayHold && (
        <Actions>
          <Button look="secondary" onClick={onClose}>
            {t('ui.close')}
          </Button>
          <Button type="submit" form={form} busy={add.isPending}>
            {t('handover.hold')}
          </Button>
        </Actions>
      )}
    </Dialog>
  );
}

interface HoldFormProps extends Pick<HoldDialogProps, 'camera' | 'range'> {
  /** The footer of the dialog sends it. */
  id: string;
  add: ReturnType<typeof useAddHold>;
}

function HoldForm({ id, camera, range, add }: HoldFormProps) {
  const { t } = useTranslation();
  const [selection, onSelection] = useState(range);
  const control = usePeriod({ selection, onSelection, longestHours: null });
  const [reason, setReason] = useState('');
  const [wasSent, setSent] = useState(false);
  const reasonError = wasSent ? reasonFault(reason) : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSent(true);
    if (control.period === null || reasonFault(reason) !== null || add.isPending) return;
    add.mutate(
      { camera: camera.id, reason, ...asTimes(control.period) },
      {
        onSuccess: () => {
          setReason('');
          setSent(false);
        },
      },
    );
  };
  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={submit}>
      {add.isError && <Banner tone="error">{problemSentence(add.error)}</Banner>}
      {add.isSuccess && <Banner tone="success">{t('handover.held')}</Banner>}
      <PeriodFields control={control} wasSent={wasSent} />
      <TextareaField
        label={t('handover.reason')}
        hint={t('handover.reasonHint')}
        required
        rows={2}
        value={reason}
        error={reasonError === null ? undefined : t(`handover.reasonFault.${reasonError}`)}
        onChange={({ target }) => setReason(target.value)}
      />
    </form>
  );
}

/** As the server would refuse it. */
function reasonFault(reason: string): 'missing' | 'tooLong' | null {
  if (reason.trim() === '') return 'missing';
  const moment = { from: '2000-01-01T00:00:00.000Z', until: '2000-01-01T00:00:01.000Z' };
  const camera = '00000000-0000-4000-8000-000000000000';
  return HoldFields.safeParse({ camera, reason, ...moment }).success ? null : 'tooLong';
}
