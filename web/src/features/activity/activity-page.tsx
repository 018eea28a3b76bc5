/**
 * The activity log: who did what, when and from where, as a list and as figures. Everyone sees their own
 * entries, administrators all. The open tab and the search stand in the address.
 */
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { changed } from '#lib/search-values.ts';
import { Page } from '#parts/page.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { LogListTab } from './log-list-tab.tsx';
import type { AnalyticsProps } from './panels/analytics.tsx';
import type { ActivitySearch } from './search.ts';

const route = getRouteApi('/shell/activity-log');

const { Component: Analytics } = onDemand<AnalyticsProps>(async () => {
  const [loaded] = await Promise.all([
    import('./panels/analytics.tsx'),
    needSentences('analytics'),
  ]);
  return loaded.Analytics;
});

export function ActivityPage() {
  const { t } = useTranslation();
  const showsAll = isAdministrator(useUser());
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [actionsSlot, setActionsSlot] = useState<HTMLElement | null>(null);
  const show = (next: ActivitySearch, replace = false): void =>
    void navigate({ search: next, replace });
  const tab = { search, onShow: show, actionsSlot };
  return (
    <Page
      title={t('activityLog.title')}
      subtitle={showsAll ? t('activityLog.subtitleAll') : t('activityLog.subtitleOwn')}
      actions={<span ref={setActionsSlot} className="contents" />}
    >
      {/* As wide as the page, however many tabs there are: these scroll. */}
      <div className="min-w-0">
        <Tabs
          label={t('activityLog.title')}
          value={search.tab ?? 'list'}
          onChange={(next) =>
            show(changed(search, { tab: next === 'list' ? undefined : next, page: undefined }))
          }
          tabs={[
            { value: 'list', label: t('activityLog.list'), content: <LogListTab {...tab} /> },
            { value: 'analytics', label: t('panels.title'), content: <Analytics {...tab} /> },
          ]}
        />
      </div>
    </Page>
  );
}
