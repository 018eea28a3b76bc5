/** Log List: the entries, found by what stands in the address, with what can be done to them. */
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { isPageTooLate } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { changed } from '#lib/search-values.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Banner } from '#ui/banner.tsx';
import { DebugPanel } from './debug-panel.tsx';
import { EntryDialog } from './entry/entry-dialog.tsx';
import { FindBar } from './find-bar.tsx';
import { keepRecent } from './last-entries.ts';
import { LogResults } from './log-results.tsx';
import { PageActions } from './page-actions.tsx';
import type { OpenForm, PageFormsProps } from './page-forms.tsx';
import { cleared, type ActivitySearch, type Change } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useAutoRefresh } from './use-auto-refresh.ts';
import { useChosen } from './use-chosen.ts';
import { useEntries } from './use-entries.ts';
import type { VerificationDialogProps } from './verification/verification-dialog.tsx';
import { WaitingNote } from './waiting-note.tsx';

const { Component: Verification } = onDemand<VerificationDialogProps>(
  async () => (await import('./verification/verification-dialog.tsx')).VerificationDialog,
);

/** They come once the page stands, before one is opened: a note can be written while the server is away. */
const { Component: PageForms } = onDemand<PageFormsProps>(
  async () => (await import('./page-forms.tsx')).PageForms,
);

/** A notice goes after this time (LOG-039). */
const NOTICE_MS = 3500;

export interface LogListTabProps {
  search: ActivitySearch;
  onShow: (search: ActivitySearch, replace?: boolean) => void;
  /** Where the page has its buttons. */
  actionsSlot: HTMLElement | null;
}

export function LogListTab({ search, onShow: show, actionsSlot }: LogListTabProps) {
  const { t } = useTranslation();
  const me = useUser();
  const showsUser = isAdministrator(me);
  const [notice, setNotice] = useNotice();
  const [error, setError] = useState<string | null>(null);
  const [form, setForm] = useState<OpenForm>(null);
  const [isDebugging, setDebugging] = useState(false);
  const refresh = useAutoRefresh();
  const found = useEntries(search, refresh, () => setError(t('activityLog.refreshFailed')));
  const entries = found.query.data?.results ?? found.copy?.page.results ?? [];
  const { chosen, choose, clear } = useChosen(search);

  const filter = (change: Change): void =>
    show(changed(search, { ...change, page: undefined, entry: undefined }));
  const toPage: GoToPage = (page, replace) =>
    show(changed(search, { page: page > 1 ? page : undefined }), replace);
  usePageInstead(isPageTooLate(found.query.error) ? 1 : null, toPage);
  const done = (sentence: string): void => {
    setForm(null);
    setError(null);
    setNotice(sentence);
  };
  useRecentSearch(search.search);

  return (
    <div className="grid grid-cols-1 gap-4">
      {actionsSlot !== null &&
        createPortal(
          <PageActions
            search={search}
            refresh={refresh}
            isDebugging={isDebugging}
            onDebug={() => setDebugging(!isDebugging)}
            onOpen={setForm}
            onVerify={() => show(changed(search, { dialog: 'verification' }))}
            onDone={done}
            onFailed={setError}
          />,
          actionsSlot,
        )}
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
        <FindBar
          search={search}
          entries={entries}
          onShow={show}
          onFilter={filter}
          onSave={() => setForm('save')}
          onDone={done}
          onFailed={setError}
        />
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
        onPage={toPage}
        onClear={() => show(cleared(search))}
      />
      <AddressDialogs search={search} onShow={show} mayVerify={showsUser} onFilter={filter} />
      <PageForms
        form={form}
        search={search}
        chosen={chosen}
        onDeleted={clear}
        onDone={done}
        onFailed={setError}
        onClose={() => setForm(null)}
      />
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
    </div>
  );
}

interface AddressDialogsProps extends Pick<LogListTabProps, 'search' | 'onShow'> {
  mayVerify: boolean;
  onFilter: (change: Change) => void;
}

/** What the address opens above the list: an entry, the check of all of them. */
function AddressDialogs({ search, onShow, mayVerify, onFilter }: AddressDialogsProps) {
  const close = (change: Change): void => onShow(changed(search, change), true);
  return (
    <>
      {search.entry !== undefined && (
        <EntryDialog
          id={search.entry}
          onFilter={onFilter}
          onClose={() => close({ entry: undefined })}
        />
      )}
      {search.dialog === 'verification' && mayVerify && (
        <Verification onClose={() => close({ dialog: undefined })} />
      )}
    </>
  );
}

/** What was searched for and found its answer. */
function useRecentSearch(term: string | undefined): void {
  const { id } = useUser();
  useEffect(() => {
    if (term !== undefined) keepRecent(id, term);
  }, [term, id]);
}
