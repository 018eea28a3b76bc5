/** For a while the reader, or everyone, is not notified of the alert's camera or of what its rule raises. */
import type { Alert } from '@nazar/contract/alerts.ts';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useNow } from '#lib/use-now.ts';
import { Banner } from '#ui/banner.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { endOf, lengths, type Length } from './ends.ts';
import { useSnooze } from './snoozes.ts';

export interface SnoozeDialogProps {
  alert: Alert;
  onClose: () => void;
}

type Subject = 'camera' | 'rule';

export function SnoozeDialog({ alert, onClose }: SnoozeDialogProps) {
  const { t } = useTranslation();
  const [subject, setSubject] = useState<Subject>(alert.camera === null ? 'rule' : 'camera');
  const [length, setLength] = useState<Length>('hour');
  const [isForEveryone, setForEveryone] = useState(false);
  const maySnoozeForEveryone = isAdministrator(useUser());
  const snooze = useSnooze();
  const send = (): void => {
    const fields = {
      camera: subject === 'camera' ? alert.camera : null,
      rule: subject === 'rule' ? alert.rule : null,
      until: endOf(length, Date.now()).toISOString(),
      for_everyone: isForEveryone,
    };
    snooze.mutate(fields, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      title={t('alertSnooze.title')}
      description={t('alertSnooze.text')}
      width="small"
      onClose={onClose}
    >
      <form
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {snooze.isError && <Banner tone="error">{problemSentence(snooze.error)}</Banner>}
        <SelectField
          label={t('alertSnooze.subject')}
          value={subject}
          onChange={({ target }) => setSubject(target.value === 'camera' ? 'camera' : 'rule')}
          options={useSubjects(alert)}
        />
        <Lengths value={length} onChange={setLength} />
        {maySnoozeForEveryone && (
          <Checkbox
            label={t('alertSnooze.forEveryone')}
            checked={isForEveryone}
            onChange={({ target }) => setForEveryone(target.checked)}
          />
        )}
        <FormActions label={t('alertSnooze.snooze')} busy={snooze.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** A camera that is gone, and a rule that was deleted, can't be snoozed. */
function useSubjects({ camera, camera_name, rule, kind }: Alert) {
  const { t } = useTranslation();
  return [
    ...(camera === null
      ? []
      : [{ value: 'camera', label: t('alertSnooze.atCamera', { camera: camera_name ?? '' }) }]),
    ...(rule === null
      ? []
      : [
          {
            value: 'rule',
            label: t('alertSnooze.ofRule', { kind: t(`alertRules.kinds.${kind}`) }),
          },
        ]),
  ];
}

function Lengths({ value, onChange }: { value: Length; onChange: (next: Length) => void }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const morning = formatTime(endOf('morning', useNow(false)), { timeStyle: 'short' });
  const words = {
    quarter: t('alertSnooze.quarter'),
    hour: t('alertSnooze.hour'),
    morning: t('alertSnooze.until', { time: morning }),
  };
  return (
    <div className="grid justify-items-start gap-1.5">
      <span aria-hidden className="text-ui font-medium">
        {t('alertSnooze.howLong')}
      </span>
      <Segmented
        label={t('alertSnooze.howLong')}
        value={value}
        onChange={onChange}
        options={lengths.map((length) => ({ value: length, label: words[length] }))}
      />
    </div>
  );
}
