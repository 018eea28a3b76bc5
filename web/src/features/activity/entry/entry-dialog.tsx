/** One entry whole: who, what, from where, what changed, and its place in the sealed record. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ChangeTable } from './change-table.tsx';
import { changesOf, otherData } from './changes.ts';
import { ActionValue, EntryBadges, IpValue, TypeValue, UserValue } from './entry-values.tsx';
import { fieldLabel, fieldValue } from './field-words.ts';
import { entryQuery } from '../queries.ts';
import type { Change } from '../search.ts';
import { ThingLink } from './thing-link.tsx';

export interface EntryDialogProps {
  id: string;
  onFilter: (change: Change) => void;
  onClose: () => void;
}

export function EntryDialog({ id, onFilter, onClose }: EntryDialogProps) {
  const { t } = useTranslation();
  const query = useQuery(entryQuery(id));
  const link = new URL(location.pathname, location.origin);
  link.searchParams.set('entry', id);
  return (
    <Dialog open title={t('activityLog.details')} width="large" onClose={onClose}>
      <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
        {(entry) => <Details entry={entry} onFilter={onFilter} />}
      </QueryView>
      <div className="mt-5">
        <CopyField
          label={t('activityLog.link')}
          value={link.href}
          copyLabel={t('activityLog.copyLink')}
          copiedLabel={t('activityLog.linkCopied')}
        />
      </div>
    </Dialog>
  );
}

function Details({
  entry,
  onFilter,
}: {
  entry: ActivityEntry;
  onFilter: EntryDialogProps['onFilter'];
}) {
  const { t } = useTranslation();
  const changes = changesOf(entry);
  const data = otherData(entry.additional_data);
  const network = Object.entries(entry.network ?? {});
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="text-body font-semibold [overflow-wrap:anywhere]">{entry.description}</p>
        <EntryBadges entry={entry} />
      </div>
      <EntryFacts entry={entry} onFilter={onFilter} />
      {changes.length > 0 && <ChangeTable changes={changes} />}
      {data.length > 0 && <Data title={t('activityLog.data')} data={data} />}
      {network.length > 0 && <Data title={t('activityLog.network')} data={network} />}
    </div>
  );
}

function EntryFacts({
  entry,
  onFilter,
}: {
  entry: ActivityEntry;
  onFilter: EntryDialogProps['onFilter'];
}) {
  const { t } = useTranslation();
  const { formatTime, formatNumber } = useFormat();
  const { sequence } = entry;
  const of = { entry, onFilter };
  const facts = [
    {
      name: t('activityLog.time'),
      value: (
        <time dateTime={entry.timestamp}>
          {formatTime(entry.timestamp, { dateStyle: 'full', timeStyle: 'medium' })}
        </time>
      ),
    },
    { name: t('activityLog.user'), value: <UserValue {...of} /> },
    { name: t('activityLog.action'), value: <ActionValue {...of} /> },
    { name: t('activityLog.event'), value: <code className="text-meta">{entry.event}</code> },
    {
      name: t('activityLog.type'),
      value: (
        <span className="flex flex-wrap items-center gap-x-3">
          <TypeValue {...of} />
          <ThingLink entry={entry} />
        </span>
      ),
    },
    ...(entry.object_id === null
      ? []
      : [
          {
            name: t('activityLog.object'),
            value: (
              <span className="grid gap-0.5 [overflow-wrap:anywhere]">
                {entry.object_name !== '' && <bdi>{entry.object_name}</bdi>}
                <code className="text-meta">{entry.object_id}</code>
              </span>
            ),
          },
        ]),
    { name: t('activityLog.ip'), value: <IpValue {...of} /> },
    { name: t('activityLog.source'), value: t(`activityLog.sources.${entry.source}`) },
    {
      name: t('activityLog.place'),
      value: sequence === null ? t('activityLog.notSealed') : formatNumber(sequence),
    },
  ];
  return <Facts stacks facts={facts} />;
}

function Data({ title, data }: { title: string; data: readonly [string, unknown][] }) {
  const { t } = useTranslation();
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="text-ui font-semibold">{title}</h3>
      <Facts
        stacks
        facts={data.map(([name, value]) => ({
          name: fieldLabel(t, name),
          value: <span className="[overflow-wrap:anywhere]">{fieldValue(t, name, value)}</span>,
        }))}
      />
    </section>
  );
}
