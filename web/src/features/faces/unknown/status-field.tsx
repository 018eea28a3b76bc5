import { unknownStatuses, type UnknownStatus } from '@nazar/contract/unknown-faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { SelectField } from '#ui/fields.tsx';
import type { StrangerStepProps } from './stranger-step.ts';
import { changes } from './strangers.ts';

/** How far one is with them. 'Identified' is not chosen here: saying who it is makes it so. */
export function StatusField({ stranger, onSaid }: StrangerStepProps) {
  const { t } = useTranslation();
  const change = useChange('detections', (status: UnknownStatus) =>
    changes.status(stranger.id, status),
  );
  return (
    <SelectField
      label={t('strangers.status.label')}
      error={change.isError ? problemSentence(change.error) : undefined}
      value={stranger.status}
      disabled={change.isPending || stranger.status === 'identified'}
      onChange={({ target }) => {
        const status = unknownStatuses.find((it) => it === target.value);
        if (status === undefined) return;
        change.mutate(status, {
          onSuccess: (now) => onSaid(now, t('strangers.statusChanged')),
        });
      }}
      options={unknownStatuses.map((status) => ({
        value: status,
        label: t(`strangers.status.${status}`),
        disabled: status === 'identified',
      }))}
    />
  );
}
