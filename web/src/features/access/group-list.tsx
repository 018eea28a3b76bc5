import { Pencil, Plus, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { joined } from '#lib/joined.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { EditedGroup, GroupDialogProps } from './group-dialog.tsx';

const { Component: GroupDialog } = onDemand<GroupDialogProps>(
  async () => (await import('./group-dialog.tsx')).GroupDialog,
);

export interface ShownGroup extends EditedGroup {
  readonly id: string;
  /** How many are in it, as words. */
  readonly text: string;
}

export interface GroupListProps extends Pick<
  GroupDialogProps,
  'membersLabel' | 'noneLabel' | 'choices'
> {
  title: string;
  empty: string;
  emptyText: string;
  groups: readonly ShownGroup[];
  onSave: (
    id: string | null,
    fields: { name: string; description: string; members: string[] },
  ) => Promise<unknown>;
  onRemove: (id: string) => Promise<unknown>;
  onDone: (sentence: string) => void;
}

const fresh: EditedGroup = { id: null, name: '', description: '', members: [] };

export function GroupList(props: GroupListProps) {
  const { title, groups, empty, emptyText, onSave, onRemove, onDone, ...choices } = props;
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  const [edited, setEdited] = useState<EditedGroup | null>(null);
  const [removed, setRemoved] = useState<ShownGroup | null>(null);
  const add = mayChange && (
    <Button size="small" onClick={() => setEdited(fresh)}>
      <Plus aria-hidden />
      {t('access.newGroup')}
    </Button>
  );
  return (
    <Card title={title} aside={add}>
      {groups.length === 0 ? (
        <EmptyState icon={<UsersRound />} title={empty} text={emptyText} />
      ) : (
        <RowList label={title}>
          {groups.map((group) => (
            <Row
              key={group.id}
              title={group.name}
              text={joined([group.text, group.description])}
              aside={
                mayChange && (
                  <span className="flex gap-1">
                    <IconButton
                      label={t('access.edit', { name: group.name })}
                      small
                      onClick={() => setEdited(group)}
                    >
                      <Pencil aria-hidden />
                    </IconButton>
                    <IconButton
                      label={t('access.delete', { name: group.name })}
                      small
                      onClick={() => setRemoved(group)}
                    >
                      <Trash2 aria-hidden />
                    </IconButton>
                  </span>
                )
              }
            />
          ))}
        </RowList>
      )}
      {edited !== null && (
        <GroupDialog
          {...choices}
          group={edited}
          title={edited.id === null ? t('access.newGroup') : t('access.editGroup')}
          onClose={() => setEdited(null)}
          onSave={async (fields) => {
            await onSave(edited.id, fields);
            setEdited(null);
            onDone(t('access.groupSaved', { name: fields.name }));
          }}
        />
      )}
      {removed !== null && (
        <RemoveGroup
          group={removed}
          onRemove={onRemove}
          onClose={() => setRemoved(null)}
          onDone={() => {
            setRemoved(null);
            onDone(t('access.groupDeleted', { name: removed.name }));
          }}
        />
      )}
    </Card>
  );
}

interface RemoveGroupProps extends Pick<GroupListProps, 'onRemove'> {
  group: ShownGroup;
  onClose: () => void;
  onDone: () => void;
}

function RemoveGroup({ group, onRemove, onClose, onDone }: RemoveGroupProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await onRemove(group.id);
      onDone();
    } catch (error) {
      setFailed(error);
      setBusy(false);
    }
  };
  return (
    <AlertDialog
      open
      danger
      busy={busy}
      title={t('access.deleteTitle')}
      description={t('access.deleteText', { name: group.name })}
      confirmLabel={t('access.deleteGroup')}
      error={failed === null ? null : <Banner tone="error">{problemSentence(failed)}</Banner>}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
