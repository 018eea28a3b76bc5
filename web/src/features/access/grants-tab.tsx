/** Whom something is granted, chosen above; below it every camera and group of cameras with its ticks. */
import type { CameraGroup, Grant } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import type { UserGroup } from '@nazar/contract/user-groups.ts';
import type { ListedUser } from '@nazar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { joined } from '#lib/joined.ts';
import { QueryView } from '#parts/query-view.tsx';
import { SeeAsButton } from '#parts/see-as-button.tsx';
import { Banner } from '#ui/banner.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/data-list.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { capabilities } from '@nazar/contract/capabilities.ts';
import { GrantRow, type Grantable } from './grant-row.tsx';
import {
  cameraGroupsQuery,
  camerasQuery,
  categoriesQuery,
  grantsQuery,
  useGive,
  useTake,
} from './queries.ts';
import type { AccessSearch } from './search.ts';

export interface GrantsTabProps {
  users: readonly ListedUser[];
  groups: readonly UserGroup[];
  chosen: AccessSearch;
  onChoose: (change: AccessSearch) => void;
}

const nameOf = (user: ListedUser): string => `${user.first_name} ${user.last_name}`.trim();

export function GrantsTab({ users, groups, chosen, onChoose }: GrantsTabProps) {
  const { t } = useTranslation();
  const user = users.find(({ id }) => id === chosen.user);
  const group = groups.find(({ id }) => id === chosen.group);
  const asked = chosen.user ?? chosen.group;
  const isGone = asked !== undefined && user === undefined && group === undefined;
  const options = [
    { value: '', label: t('access.choose') },
    ...groups.map(({ id, name }) => ({
      value: `group ${id}`,
      label: t('access.groupOf', { name }),
    })),
    ...users.map((one) => ({ value: `user ${one.id}`, label: joined([nameOf(one), one.email]) })),
  ];
  const choose = (value: string): void => {
    const [kind, id = ''] = value.split(' ');
    onChoose(kind === 'user' ? { user: id } : kind === 'group' ? { group: id } : {});
  };
  return (
    <div className="grid gap-4">
      <Card>
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label={t('access.who')}
            className="min-w-0 flex-1 sm:max-w-md"
            value={user ? `user ${user.id}` : group ? `group ${group.id}` : ''}
            options={options}
            onChange={({ target }) => choose(target.value)}
          />
          {user !== undefined && <SeeAsButton user={user} />}
        </div>
      </Card>
      {isGone && <Banner tone="info">{t('access.gone')}</Banner>}
      {user === undefined && group === undefined ? (
        <EmptyState icon={<KeyRound />} title={t('access.choose')} text={t('access.chooseText')} />
      ) : user !== undefined && isAdministrator(user) ? (
        <Banner tone="info">{t('access.administrator', { name: nameOf(user) })}</Banner>
      ) : (
        <Grants
          // Another one's grants are another list: no error and no half-done change comes along.
          key={user?.id ?? group?.id}
          to={user ? { type: 'user', id: user.id } : { type: 'user_group', id: group?.id ?? '' }}
          memberOf={groups.filter(({ members }) => members.some(({ id }) => id === user?.id))}
          search={chosen.search ?? ''}
          onSearch={(search) => onChoose({ ...chosen, search })}
        />
      )}
      <Card title={t('access.meaning')}>
        <Facts
          facts={capabilities.map((capability) => ({
            name:
              capability === 'people' ? t('access.names') : t(`access.capabilities.${capability}`),
            value: <span className="font-normal">{t(`access.hints.${capability}`)}</span>,
          }))}
        />
      </Card>
    </div>
  );
}

interface GrantsProps {
  to: Grant['to'] extends infer To ? Pick<To & Grant['to'], 'type' | 'id'> : never;
  memberOf: readonly UserGroup[];
  search: string;
  onSearch: (words: string) => void;
}

function Grants({ to, memberOf, search, onSearch }: GrantsProps) {
  const { t } = useTranslation();
  const cameras = useQuery(camerasQuery);
  const cameraGroups = useQuery(cameraGroupsQuery);
  const categories = useQuery(categoriesQuery);
  const grants = useQuery(grantsQuery);
  const give = useGive();
  const take = useTake();
  const mayChange = mayChangeCameras(useUser());
  const failed = give.error ?? take.error;
  const isBusy = give.isPending || take.isPending;
  const list = (found: { results: Camera[] }, groups: CameraGroup[], held: Grant[]) => {
    const sizeOf = (count: number): string => t('access.cameraGroup', { count });
    const rows = grantables(found.results, groups, held, to, memberOf, sizeOf);
    const words = foldedText(search);
    const shown = rows.filter(({ name, text }) => foldedText(`${name} ${text}`).includes(words));
    if (rows.length === 0) {
      return <EmptyState icon={<KeyRound />} title={t('access.noCameras')} />;
    }
    if (shown.length === 0) {
      return <FilteredOut title={t('access.noneFound')} onClear={() => onSearch('')} />;
    }
    return (
      <ul aria-label={t('access.cameras')} className="divide-y divide-line">
        {shown.map((row) => (
          <GrantRow
            key={row.of.id}
            row={row}
            categories={categories.data?.results ?? []}
            disabled={!mayChange || isBusy}
            onChange={(wanted, names) => {
              const { grant, of } = row;
              if (wanted.length > 0) {
                give.mutate({ to, of, capabilities: wanted, categories: names });
              } else if (grant) take.mutate(grant.id);
            }}
          />
        ))}
      </ul>
    );
  };
  return (
    <Card title={t('access.cameras')}>
      {failed !== null && <Banner tone="error">{problemSentence(failed)}</Banner>}
      <TextField
        label={t('access.find')}
        hideLabel
        className="sm:max-w-xs"
        type="search"
        placeholder={t('access.find')}
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <QueryView query={cameras} skeleton={<Skeleton className="mt-3 h-24" />}>
        {(found) => (
          <QueryView query={cameraGroups} skeleton={<Skeleton className="mt-3 h-24" />}>
            {(groups) => (
              <QueryView query={grants} skeleton={<Skeleton className="mt-3 h-24" />}>
                {(held) => list(found, groups.results, held.results)}
              </QueryView>
            )}
          </QueryView>
        )}
      </QueryView>
    </Card>
  );
}

/** Groups of cameras first: who is given one need not be given its cameras. */
function grantables(
  cameras: readonly Camera[],
  groups: readonly CameraGroup[],
  grants: readonly Grant[],
  to: GrantsProps['to'],
  memberOf: readonly UserGroup[],
  sizeOf: (count: number) => string,
): Grantable[] {
  const grantOf = (id: string): Grant | undefined =>
    grants.find((grant) => grant.of.id === id && grant.to.id === to.id);
  const isTheirs = (grant: Grant): boolean =>
    grant.to.id === to.id || memberOf.some(({ id }) => id === grant.to.id);
  const through = (id: string): string[] => {
    const around = new Set(
      groups.filter((group) => group.cameras.includes(id)).map((one) => one.id),
    );
    const others = grants.filter(
      (grant) =>
        isTheirs(grant) &&
        (around.has(grant.of.id) || (grant.of.id === id && grant.to.id !== to.id)),
    );
    const names = others.flatMap((grant) => [
      ...(grant.to.id === to.id ? [] : [grant.to.name]),
      ...(grant.of.id === id ? [] : [grant.of.name]),
    ]);
    return [...new Set(names)];
  };
  return [
    ...groups.map(({ id, name, cameras: { length: count } }) => ({
      of: { type: 'camera_group' as const, id },
      name,
      text: sizeOf(count),
      grant: grantOf(id),
      through: through(id),
    })),
    ...cameras.map(({ id, name, location }) => ({
      of: { type: 'camera' as const, id },
      name,
      text: location,
      grant: grantOf(id),
      through: through(id),
    })),
  ];
}
