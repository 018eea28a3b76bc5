/**
 * What rules found and what users did about it, and for administrators the rules themselves. The open tab, the filters
 * and the alert that is open stand in the address.
 */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { changed } from '#lib/search-values.ts';
import { Page } from '#parts/page.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { AlertListTab } from './alert-list-tab.tsx';
import { AlertTools } from './alert-tools.tsx';
import { HouseModeControl } from './house-mode-control.tsx';
import { KeySheet } from './keys/key-sheet.tsx';
import { countsQuery } from './queries.ts';
import type { AlertsSearch } from './search.ts';

const route = getRouteApi('/shell/alerts');

const { Component: AlertRules } = onDemand<object>(async () => {
  const [loaded] = await Promise.all([
    import('./rules/alert-rules.tsx'),
    needSentences('alert-rules'),
  ]);
  return loaded.AlertRules;
});

export function AlertsPage() {
  const { t } = useTranslation();
  const showsRules = isAdministrator(useUser());
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: AlertsSearch, replace = false): void =>
    void navigate({ search: next, replace, resetScroll: false });
  const [showsKeys, setShowsKeys] = useState(false);
  const openKeys = (): void => setShowsKeys(true);
  const list = <AlertListTab search={search} onShow={show} onKeys={openKeys} />;
  return (
    <Page
      title={t('alerts.title')}
      documentTitle={useTitle()}
      subtitle={t('alerts.subtitle')}
      actions={
        <>
          {search.tab === undefined && <AlertTools onKeys={openKeys} />}
          <HouseModeControl />
        </>
      }
    >
      {showsRules ? (
        <div className="min-w-0">
          <Tabs
            label={t('alerts.title')}
            value={search.tab ?? 'list'}
            onChange={(next) =>
              show(next === 'rules' ? { tab: next } : changed(search, { tab: undefined }))
            }
            tabs={[
              { value: 'list', label: t('alerts.list'), content: list },
              { value: 'rules', label: t('alerts.rules'), content: <AlertRules /> },
            ]}
          />
        </div>
      ) : (
        list
      )}
      <KeySheet open={showsKeys} onClose={() => setShowsKeys(false)} />
    </Page>
  );
}

/** The tab of a browser says how many alerts are new. */
function useTitle(): string {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const { data } = useQuery(countsQuery());
  const title = t('alerts.title');
  if (data === undefined || data.new === 0) return title;
  return t('alerts.titleWithCount', { number: formatNumber(data.new), title });
}
