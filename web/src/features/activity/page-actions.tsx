/** What can be done beside the list of the activity log: live or paused, a note, the export, and what is done seldom. */
import { Download, NotebookPen, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { forgetEntries, sizeOfCache } from './last-entries.ts';
import { LogMenu } from './log-menu.tsx';
import type { Outcome, OpenForm } from './page-forms.tsx';
import { downloadCsv, useAddMock } from './queries.ts';
import type { ActivitySearch } from './search.ts';
import type { useAutoRefresh } from './use-auto-refresh.ts';

export interface PageActionsProps extends Outcome {
  search: ActivitySearch;
  refresh: ReturnType<typeof useAutoRefresh>;
  isDebugging: boolean;
  onDebug: () => void;
  onOpen: (form: OpenForm) => void;
  onVerify: () => void;
}

export function PageActions(props: PageActionsProps) {
  const { t } = useTranslation();
  const { refresh, onOpen } = props;
  return (
    <>
      <LiveButton isOn={refresh.isOn} onChange={refresh.setOn} />
      <Button look="secondary" onClick={() => onOpen('note')}>
        <NotebookPen aria-hidden />
        {t('activityLog.addNote')}
      </Button>
      <ExportButton {...props} />
      <Menu {...props} />
    </>
  );
}

function LiveButton({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Button
      look="secondary"
      aria-label={isOn ? t('activityLog.pause') : t('activityLog.resume')}
      onClick={() => onChange(!isOn)}
    >
      {isOn ? <Pause aria-hidden /> : <Play aria-hidden />}
      {isOn ? t('activityLog.live') : t('activityLog.paused')}
    </Button>
  );
}

function ExportButton({ search, onDone, onFailed }: PageActionsProps) {
  const { t } = useTranslation();
  const me = useUser();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await downloadCsv(search, isAdministrator(me) ? undefined : me.id);
      onDone(t('activityLog.exported'));
    } catch {
      onFailed(t('activityLog.exportFailed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="secondary" busy={isBusy} onClick={() => void run()}>
      <Download aria-hidden />
      {t('activityLog.export')}
    </Button>
  );
}

function Menu({ refresh, isDebugging, onDone, onFailed, ...on }: PageActionsProps) {
  const { onDebug, onOpen, onVerify } = on;
  const { t } = useTranslation();
  const isAdmin = isAdministrator(useUser());
  const test = useAddMock();
  const clearCache = (): void => {
    forgetEntries();
    // A browser that forbids its storage removes nothing.
    if (sizeOfCache() > 0) onFailed(t('activityLog.clearCacheFailed'));
    else onDone(t('activityLog.cacheCleared'));
  };
  return (
    <LogMenu
      refresh={refresh}
      isAdministrator={isAdmin}
      onVerify={onVerify}
      isDebugging={isDebugging}
      onTest={() =>
        test.mutate(1, {
          onSuccess: () => onDone(t('activityLog.testLogMade')),
          onError: () => onFailed(t('activityLog.testLogFailed')),
        })
      }
      onMock={() => onOpen('mock')}
      onClearCache={clearCache}
      onDebug={onDebug}
      onDeleteAll={() => onOpen('delete-all')}
    />
  );
}
