/** Analytics Dashboard: its panels as tabs, their filters, Refresh and Export. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { useState, type ComponentType } from 'react';
import { createPortal } from 'react-dom';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { momentOf } from '#lib/local-day.ts';
import { changed } from '#lib/search-values.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { downloadCsv } from '../queries.ts';
import type { ActivitySearch } from '../search.ts';
import { useWords } from '../words.ts';
import { CamerasPanel } from './cameras-panel.tsx';
import { Daily } from './daily.tsx';
import { Faces } from './faces.tsx';
import { Filters } from './filters.tsx';
import { HeatmapPanel } from './heatmap.tsx';
import { Overview } from './overview/overview.tsx';
import { askedOf, type PanelProps } from './panel-context.ts';
import { hasComparison } from './panel-filters.ts';
import { panels, type Panel } from './panels.ts';
import { PeoplePanel } from './people-panel.tsx';
import type { Period } from './period.ts';
import { userOf, type Asked } from './queries.ts';
import { SystemLogs } from './system/system-logs.tsx';
import { Timeline } from './timeline.tsx';
import { useHour } from './use-hour.ts';
import { useLogUser, useProfile } from './use-log-user.ts';
import { VisitDialog } from './visit/visit-dialog.tsx';

const contents: Readonly<Record<Panel, ComponentType<PanelProps>>> = {
  overview: Overview,
  faces: Faces,
  heatmap: HeatmapPanel,
  timeline: Timeline,
  daily: Daily,
  people: PeoplePanel,
  cameras: CamerasPanel,
  system: SystemLogs,
};

/** As on the list. */
const NOTICE_MS = 3500;

export interface AnalyticsProps {
  search: ActivitySearch;
  onShow: (search: ActivitySearch, replace?: boolean) => void;
  /** Where the page has its buttons. */
  actionsSlot: HTMLElement | null;
}

export function Analytics({ search, onShow, actionsSlot }: AnalyticsProps) {
  const { t } = useTranslation();
  const me = useLogUser();
  const [notice, setNotice] = useNotice();
  const { panel = 'overview', visit } = search;
  const asked = askedOf(me, search, useHour());
  const onChange: PanelProps['onChange'] = (change, replace) =>
    onShow(changed(search, { page: undefined, ...change }), replace);
  const props: PanelProps = { asked, onChange, onDone: setNotice };
  return (
    <>
      {actionsSlot !== null &&
        createPortal(<Actions asked={asked} onDone={setNotice} />, actionsSlot)}
      <ProfileNote panel={panel} />
      <Tabs
        label={t('panels.title')}
        look="pills"
        value={panel}
        onChange={(next) => onChange({ panel: next === 'overview' ? undefined : next })}
        tabs={panels.map((value) => {
          const Content = contents[value];
          return {
            value,
            label: t(`panels.names.${value}`),
            content: (
              <div className="grid grid-cols-1 gap-4">
                <Filters panel={value} asked={asked} onChange={onChange} />
                <Caption asked={asked} panel={value} />
                <Content {...props} />
              </div>
            ),
          };
        })}
      />
      {visit !== undefined && (
        <VisitDialog
          key={visit}
          id={visit}
          onClose={() => onShow(changed(search, { visit: undefined }))}
        />
      )}
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
    </>
  );
}

/** Says that the profile could not be read; the panels go on with the user who signed in. */
function ProfileNote({ panel }: { panel: Panel }) {
  const { t } = useTranslation();
  const { isError, isFetching, refetch } = useProfile();
  if (!isError) return null;
  return (
    <RetryBanner look="secondary" busy={isFetching} onRetry={() => void refetch()}>
      {panel === 'system' ? t('systemLog.failed.profile') : t('panels.failed.profile')}
    </RetryBanner>
  );
}

function Caption({ asked: { period, before, search }, panel }: { asked: Asked; panel: Panel }) {
  const { t } = useTranslation();
  const words = useWords();
  const range = useRange(period, panel === 'timeline');
  const compared = useRange(before, false);
  const type = panel === 'overview' && search.type !== undefined ? words.type(search.type) : null;
  return (
    <p className="text-ui text-muted">
      {range}
      {type !== null && ` · ${t('panels.filter.type')}: ${type}`}
      {hasComparison(panel) && ` · ${t('panels.compared', { period: compared })}`}
    </p>
  );
}

const clock = (hours: number): string => `${String(hours).padStart(2, '0')}:00`;

function useRange({ from, to, hour, untilMs }: Period, showsHour: boolean): string {
  const { formatTime } = useFormat();
  const day = (text: string): string => formatTime(momentOf(text), { dateStyle: 'medium' });
  const last =
    untilMs === undefined
      ? day(to)
      : formatTime(untilMs, { dateStyle: 'medium', timeStyle: 'short' });
  if (from !== to) return `${day(from)} – ${last}`;
  if (untilMs !== undefined) return last;
  if (hour === null || !showsHour) return day(from);
  return `${day(from)}, ${clock(hour)} – ${clock(hour + 1)}`;
}

function Actions({ asked, onDone }: { asked: Asked; onDone: (sentence: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isLoading = useIsFetching({ queryKey: ['activity'] }) > 0;
  const [isExporting, setExporting] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const exportLogs = async (): Promise<void> => {
    const { me, search, period } = asked;
    setExporting(true);
    setFailed(false);
    try {
      const { search: words, type } = search;
      const filters = changed({}, { search: words, type, from: period.from, to: period.to });
      await downloadCsv(filters, userOf(me, search));
      onDone(t('activityLog.exported'));
    } catch {
      setFailed(true);
    } finally {
      setExporting(false);
    }
  };
  return (
    <>
      {isFailed && (
        <Banner tone="error" onClose={() => setFailed(false)}>
          {t('activityLog.exportFailed')}
        </Banner>
      )}
      <Button look="secondary" busy={isLoading} onClick={() => void refresh(client, 'activity')}>
        <RefreshCw aria-hidden />
        {t('ui.refresh')}
      </Button>
      <Button look="secondary" busy={isExporting} onClick={() => void exportLogs()}>
        <Download aria-hidden />
        {t('activityLog.export')}
      </Button>
    </>
  );
}
