/**
 * The activity log (NAV-012): who did what, when and from where. Everyone sees their own entries, administrators all.
 * What is looked for stands in the address.
 */
import { getRouteApi } from '@tanstack/react-router';
import { Download, NotebookPen, Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { syncEntries, waitingEntries } from '#api/offline-entries.ts';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { DebugPanel } from './debug-panel.tsx';
import { DeleteAll, DeleteSelected } from './delete-dialogs.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { forgetEntries, keepRecent, sizeOfCache } from './last-entries.ts';
import { LogFilters } from './log-filters.tsx';
import { LogMenu } from './log-menu.tsx';
import { LogResults } from './log-results.tsx';
import { downloadCsv, useAddMock } from './queries.ts';
import { changed, cleared, type ActivitySearch, type Change } from './search.ts';
import { SearchesMenu } from './searches-menu.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { MockDialog, NoteDialog, SaveSearchDialog } from './small-dialogs.tsx';
import { useAddEntry } from './use-add-entry.ts';
import { useAutoRefresh } from './use-auto-refresh.ts';
import { useChosen } from './use-chosen.ts';
import { useEntries } from './use-entries.ts';
import { useWords } from './words.ts';

const route = getRouteApi('/shell/activity-log');

/** LOG-039. */
const NOTICE_MS = 3500;

type OpenForm = 'save' | 'mock' | 'note' | 'delete' | 'delete-all' | null;

export function ActivityPage() {
  const { t } = useTranslation();
  const me = useUser();
  const showsUser = isAdministrator(me);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [notice, setNotice] = useNotice();
  const [error, setError] = useState<string | null>(null);
  const [form, setForm] = useState<OpenForm>(null);
  const [isDebugging, setDebugging] = useState(false);
  const refresh = useAutoRefresh();
  const found = useEntries(search, refresh, () => setError(t('activityLog.refreshFailed')));
  const entries = found.query.data?.results ?? found.copy?.page.results ?? [];
  const { chosen, choose, clear } = useChosen(search);
  const words = useWords();

  const show = (next: ActivitySearch, replace = false): void =>
    void navigate({ search: next, replace });
  /** LOG-018. */
  const filter = (change: Change): void =>
    show(changed(search, { ...change, page: undefined, entry: undefined }));
  const nameOf = (id: string): string | undefined => {
    const one = entries.find(({ user }) => user === id);
    return one === undefined ? undefined : words.user(one);
  };
  const done = (sentence: string): void => {
    setForm(null);
    setError(null);
    setNotice(sentence);
  };
  useRecentSearch(search.search);

  return (
    <Page
      title={t('activityLog.title')}
      subtitle={showsUser ? t('activityLog.subtitleAll') : t('activityLog.subtitleOwn')}
      actions={
        <>
          <LiveButton isOn={refresh.isOn} onChange={refresh.setOn} />
          <Button look="secondary" onClick={() => setForm('note')}>
            <NotebookPen aria-hidden />
            {t('activityLog.addNote')}
          </Button>
          <ExportButton search={search} onDone={done} onFailed={setError} />
          <Menus
            refresh={refresh}
            isDebugging={isDebugging}
            onDebug={() => setDebugging(!isDebugging)}
            onOpen={setForm}
            onDone={done}
            onFailed={setError}
          />
        </>
      }
    >
      {error !== null && (
        <Banner tone="error" onClose={() => setError(null)}>
          {error}
        </Banner>
      )}
      <WaitingNote />
      {chosen.size > 0 ? (
        <SelectionBar
          entries={entries}
          chosen={chosen}
          onChoose={choose}
          onClear={clear}
          onDelete={() => setForm('delete')}
        />
      ) : (
        <div className="grid grid-cols-1 gap-3">
          <LogFilters
            search={search}
            types={entries.map(({ content_type_name }) => content_type_name)}
            showsUser={showsUser}
            onFilter={filter}
            onShow={(change) => show(changed(search, change))}
          />
          <div className="flex flex-wrap items-center gap-2">
            <SearchesMenu
              search={search}
              onApply={(next) => show(changed(next, { page: undefined }))}
              onSave={() => setForm('save')}
              onDone={done}
              onFailed={setError}
            />
            <FilterChips
              search={search}
              nameOf={nameOf}
              onFilter={filter}
              onClear={() => show(cleared(search))}
            />
          </div>
        </div>
      )}
      {isDebugging && (
        <DebugPanel search={search} asked={found.asked} isFromCache={found.copy !== null} />
      )}
      <LogResults
        search={search}
        found={found}
        showsUser={showsUser}
        chosen={chosen}
        onChoose={choose}
        onOpen={(entry) => show(changed(search, { entry }))}
        onFilter={filter}
        onPage={(page) => show(changed(search, { page: page > 1 ? page : undefined }))}
        onClear={() => show(cleared(search))}
      />
      {search.entry !== undefined && (
        <EntryDialog
          id={search.entry}
          onFilter={filter}
          onClose={() => show(changed(search, { entry: undefined }), true)}
        />
      )}
      {form === 'save' && (
        <SaveSearchDialog search={search} onDone={done} onClose={() => setForm(null)} />
      )}
      {form === 'mock' && <MockDialog onDone={done} onClose={() => setForm(null)} />}
      {form === 'note' && (
        <AddNote onDone={done} onFailed={setError} onClose={() => setForm(null)} />
      )}
      <DeleteSelected
        ids={[...chosen]}
        open={form === 'delete'}
        onDone={(sentence) => {
          clear();
          done(sentence);
        }}
        onClose={() => setForm(null)}
      />
      <DeleteAll
        ofAll={showsUser}
        open={form === 'delete-all'}
        onDone={done}
        onClose={() => setForm(null)}
      />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
    </Page>
  );
}

/** LOG-010: what was searched for and found its answer. */
function useRecentSearch(term: string | undefined): void {
  const { id } = useUser();
  useEffect(() => {
    if (term !== undefined) keepRecent(id, term);
  }, [term, id]);
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

interface Outcome {
  onDone: (sentence: string) => void;
  onFailed: (sentence: string) => void;
}

function ExportButton({ search, onDone, onFailed }: Outcome & { search: ActivitySearch }) {
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

interface MenusProps extends Outcome {
  refresh: ReturnType<typeof useAutoRefresh>;
  isDebugging: boolean;
  onDebug: () => void;
  onOpen: (form: OpenForm) => void;
}

function Menus({ refresh, isDebugging, onDebug, onOpen, onDone, onFailed }: MenusProps) {
  const { t } = useTranslation();
  const mayMock = isAdministrator(useUser());
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
      mayMock={mayMock}
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

function AddNote({ onDone, onFailed, onClose }: Outcome & { onClose: () => void }) {
  const { t } = useTranslation();
  const add = useAddEntry();
  const send = (description: string): void =>
    add.mutate(
      { action: 'create', description },
      {
        onSuccess: (isThere) =>
          onDone(isThere ? t('activityLog.noteAdded') : t('activityLog.noteKept')),
        onError: (problem) => {
          onClose();
          onFailed(problemSentence(problem));
        },
      },
    );
  return <NoteDialog busy={add.isPending} onSend={send} onClose={onClose} />;
}

/** Entries made here that the server does not have yet (LOG-048). */
function WaitingNote() {
  const { t } = useTranslation();
  const { id } = useUser();
  const count = useSignal(waitingEntries);
  if (count === 0) return null;
  return (
    <Banner
      tone="info"
      action={
        <Button look="link" onClick={() => void syncEntries(id)}>
          {t('activityLog.sendNow')}
        </Button>
      }
    >
      {t('activityLog.waiting', { count })}
    </Banner>
  );
}
