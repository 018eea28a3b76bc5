import type { UserDetail } from '@nazar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useUser } from '#api/session.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { AccountTab } from './account-tab.tsx';
import { fullName, mayAdminister, userQuery } from './queries.ts';
import type { Detail } from './search.ts';
import { SessionsTab } from './sessions-tab.tsx';

export interface UserDialogProps {
  id: string;
  tab: Detail;
  onTab: (tab: Detail) => void;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** One user. A further matter of theirs is one more tab. */
export function UserDialog({ id, tab, onTab, onClose, onDone }: UserDialogProps) {
  const { t } = useTranslation();
  const me = useUser();
  const user = useQuery(userQuery(id));
  const tabsOf = (one: UserDetail) => [
    {
      value: 'account' as const,
      label: t('users.account'),
      content: <AccountTab user={one} onClose={onClose} onDone={onDone} />,
    },
    ...(mayAdminister(me, one)
      ? [
          {
            value: 'sessions' as const,
            label: t('users.sessions'),
            content: <SessionsTab user={one} onDone={onDone} />,
          },
        ]
      : []),
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      width="large"
      title={user.data ? fullName(user.data) : t('users.user')}
      {...(user.data && { description: user.data.email })}
    >
      <QueryView query={user} skeleton={<Skeleton className="h-48" />}>
        {(one) => (
          <Tabs label={t('users.details')} value={tab} onChange={onTab} tabs={tabsOf(one)} />
        )}
      </QueryView>
    </Dialog>
  );
}
