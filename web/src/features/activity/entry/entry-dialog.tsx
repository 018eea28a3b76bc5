/** One entry whole (LOG-019): who, what, from where, what changed, and its place in the sealed record. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { changesOf, otherData, type FieldChange } from './changes.ts';
import { ActionValue, EntryBadges, IpValue, TypeValue, UserValue } from './entry-values.tsx';
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
  const changes = changesOf(entry.additional_data);
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
            value: <code className="text-meta [overflow-wrap:anywhere]">{entry.object_id}</code>,
          },
        ]),
    { name: t('activityLog.ip'), value: <IpValue {...of} /> },
    { name: t('activityLog.source'), value: t(`activityLog.sources.${entry.source}`) },
    {
      name: t('activityLog.place'),
      value: sequence === null ? t('activityLog.notSealed') : formatNumber(sequence),
    },
  ];
  return <Facts facts={facts} />;
}

const headCell = 'px-3 py-2 text-left text-meta font-medium text-muted';
const cell = 'px-3 py-2 align-top [overflow-wrap:anywhere]';

function ChangeTable({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useTranslation();
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="text-ui font-semibold">{t('activityLog.changes')}</h3>
      <table className="w-full table-fixed border-collapse rounded-control border border-line text-ui">
        <thead className="bg-surface-2">
          <tr>
            <th scope="col" className={headCell}>
              {t('activityLog.field')}
            </th>
            <th scope="col" className={headCell}>
              {t('activityLog.before')}
            </th>
            <th scope="col" className={headCell}>
              {t('activityLog.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, values }) => (
            <tr key={field} className="border-t border-line">
              <th scope="row" className={`${cell} text-left font-medium`}>
                {field === '' ? '–' : field}
              </th>
              {values === null ? (
                <td colSpan={2} className={`${cell} text-muted`}>
                  {t('activityLog.hidden')}
                </td>
              ) : (
                <>
                  <td className={`${cell} text-muted`}>
                    <Value of={values.before} />
                  </td>
                  <td className={cell}>
                    <Value of={values.after} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Data({ title, data }: { title: string; data: readonly [string, unknown][] }) {
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="text-ui font-semibold">{title}</h3>
      <Facts
        facts={data.map(([name, value]) => ({
          name,
          value: (
            <span className="[overflow-wrap:anywhere]">
              <Value of={value} />
            </span>
          ),
        }))}
      />
    </section>
  );
}

function Value({ of: value }: { of: unknown }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t('activityLog.yes') : t('activityLog.no');
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
