/** Administrators give an alert to another user; the server refuses one who may not see it. */
import type { ListedUser } from '@nazar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useAssign, usersQuery, type Alert } from './queries.ts';

export interface AssignDialogProps {
  alert: Alert;
  onClose: () => void;
}

const nameOf = ({ first_name, last_name, email }: ListedUser): string =>
  joined([`${first_name} ${last_name}`.trim(), email]);

export function AssignDialog({ alert, onClose }: AssignDialogProps) {
  const { t } = useTranslation();
  const users = useQuery(usersQuery);
  return (
    <Dialog
      open
      title={t('alerts.assignTitle')}
      description={alert.title}
      width="small"
      onClose={onClose}
    >
      <QueryView query={users} skeleton={<Skeleton className="h-24" />}>
        {({ results }) => <AssignForm users={results} alert={alert} onClose={onClose} />}
      </QueryView>
    </Dialog>
  );
}

function AssignForm({
  users,
  alert,
  onClose,
}: AssignDialogProps & { users: readonly ListedUser[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const [isMissing, setMissing] = useState(false);
  const assign = useAssign();
  const send = (): void => {
    setMissing(chosen === '');
    if (chosen === '') return;
    assign.mutate({ id: alert.id, user_id: chosen }, { onSuccess: onClose });
  };
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {assign.isError && <Banner tone="error">{problemSentence(assign.error)}</Banner>}
      <SelectField
        label={t('alerts.assignee')}
        required
        value={chosen}
        error={isMissing ? t('alerts.assigneeMissing') : undefined}
        onChange={({ target }) => setChosen(target.value)}
        options={[
          { value: '', label: t('alerts.chooseUser') },
          ...users.map((user) => ({ value: user.id, label: nameOf(user) })),
        ]}
      />
      <FormActions label={t('alerts.assignIt')} busy={assign.isPending} onCancel={onClose} />
    </form>
  );
}
