/** Who may see which camera: grants to users and groups, and the groups themselves. */
import type { UserGroup } from '@nazar/contract/user-groups.ts';
import type { ListedUser } from '@nazar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { NotAllowed } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { GrantsTab } from './grants-tab.tsx';
import { GroupList } from './group-list.tsx';
import {
  cameraGroupsQuery,
  camerasQuery,
  groupsQuery,
  usersQuery,
  useRemoveCameraGroup,
  useRemoveUserGroup,
  useSaveCameraGroup,
  useSaveUserGroup,
} from './queries.ts';
import type { AccessSearch } from './search.ts';

const route = getRouteApi('/shell/settings/access');
const NOTICE_MS = 3500;

const nameOf = (user: ListedUser): string => `${user.first_name} ${user.last_name}`.trim();

export function AccessPage() {
  const { t } = useTranslation();
  const isAllowed = isAdministrator(useUser());
  return (
    <Page title={t('access.title')} subtitle={t('access.subtitle')}>
      <SettingsNav />
      {isAllowed ? <Content /> : <NotAllowed />}
    </Page>
  );
}

function Content() {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/settings/access' });
  const chosen = route.useSearch();
  const [notice, setNotice] = useNotice();
  const show = (search: AccessSearch): void =>
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  return (
    <>
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
      {/* So that a row of tabs too long for a phone scrolls by itself, and not the page. */}
      <div className="min-w-0">
        <Tabs
          label={t('access.title')}
          value={chosen.tab ?? 'grants'}
          onChange={(tab) =>
            show({ ...chosen, tab: tab === 'grants' ? undefined : tab } as AccessSearch)
          }
          tabs={[
            {
              value: 'grants',
              label: t('access.grantsTab'),
              content: (
                <WithUsers>
                  {(everybody, all) => (
                    <GrantsTab users={everybody} groups={all} chosen={chosen} onChoose={show} />
                  )}
                </WithUsers>
              ),
            },
            {
              value: 'groups',
              label: t('access.groupsTab'),
              content: (
                <WithUsers>
                  {(everybody, all) => (
                    <UserGroups users={everybody} groups={all} onDone={setNotice} />
                  )}
                </WithUsers>
              ),
            },
            {
              value: 'cameras',
              label: t('access.camerasTab'),
              content: <CameraGroups onDone={setNotice} />,
            },
          ]}
        />
      </div>
    </>
  );
}

interface WithUsersProps {
  children: (users: readonly ListedUser[], groups: readonly UserGroup[]) => ReactNode;
}

/** Both, or why there is none. */
function WithUsers({ children }: WithUsersProps) {
  const users = useQuery(usersQuery);
  const groups = useQuery(groupsQuery);
  const loading = <Skeleton className="h-40" />;
  return (
    <QueryView query={users} skeleton={loading}>
      {(everybody) => (
        <QueryView query={groups} skeleton={loading}>
          {({ results }) => children(everybody.results, results)}
        </QueryView>
      )}
    </QueryView>
  );
}

interface UserGroupsProps {
  users: readonly ListedUser[];
  groups: readonly UserGroup[];
  onDone: (sentence: string) => void;
}

function UserGroups({ users, groups, onDone }: UserGroupsProps) {
  const { t } = useTranslation();
  const save = useSaveUserGroup();
  const remove = useRemoveUserGroup();
  return (
    <GroupList
      title={t('access.groupsTab')}
      empty={t('access.noGroups')}
      emptyText={t('access.noGroupsText')}
      membersLabel={t('access.members')}
      noneLabel={t('access.nobodyFound')}
      groups={groups.map(({ id, name, description, members }) => ({
        id,
        name,
        description,
        members: members.map((member) => member.id),
        text: t('access.memberCount', { count: members.length }),
      }))}
      choices={users.map((user) => ({ id: user.id, name: nameOf(user), hint: user.email }))}
      onSave={(id, fields) => save.mutateAsync({ id, fields })}
      onRemove={(id) => remove.mutateAsync(id)}
      onDone={onDone}
    />
  );
}

function CameraGroups({ onDone }: Pick<UserGroupsProps, 'onDone'>) {
  const { t } = useTranslation();
  const cameras = useQuery(camerasQuery);
  const groups = useQuery(cameraGroupsQuery);
  const save = useSaveCameraGroup();
  const remove = useRemoveCameraGroup();
  return (
    <QueryView query={cameras} skeleton={<Skeleton className="h-40" />}>
      {(all) => (
        <QueryView query={groups} skeleton={<Skeleton className="h-40" />}>
          {({ results }) => (
            <GroupList
              title={t('access.camerasTab')}
              empty={t('access.noCameraGroups')}
              emptyText={t('access.noCameraGroupsText')}
              membersLabel={t('access.groupCameras')}
              noneLabel={t('access.noneFound')}
              groups={results.map(({ id, name, description, cameras: members }) => ({
                id,
                name,
                description,
                members,
                text: t('access.cameraCount', { count: members.length }),
              }))}
              choices={all.results.map(({ id, name, location }) => ({ id, name, hint: location }))}
              onSave={(id, { members, ...fields }) =>
                save.mutateAsync({ id, fields: { ...fields, cameras: members } })
              }
              onRemove={(id) => remove.mutateAsync(id)}
              onDone={onDone}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}
