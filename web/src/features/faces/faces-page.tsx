import type { Face } from '@nazar/contract/faces.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { getRouteApi } from '@tanstack/react-router';
import { LayoutGrid, List, UserPlus } from 'lucide-react';
import { useState, type Dispatch, type SetStateAction } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { changePreferences, usePreferences } from '#api/session.ts';
import { useMedia } from '#lib/use-media.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { onDemand } from '#lib/on-demand.tsx';
import { Page } from '#parts/page.tsx';
import type { GoToPage } from '#parts/use-page-instead.ts';
import { Button } from '#ui/button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import type { OpenDialog } from './dialog.ts';
import type { FaceDialogsProps } from './face-dialogs.tsx';
import { LinkedPerson, LinkedStranger } from './linked.tsx';
import { People, ROOM_FOR_TABLE } from './list/people.tsx';
import type { AddDialogProps } from './person/add-dialog.tsx';
import type { FacesSearch } from './search.ts';
import type { StrangerDialogProps } from './unknown/stranger-dialog.tsx';
import type { StrangerListProps } from './unknown/stranger-list.tsx';
import type { UnknownVisitsProps } from './unknown/unknown-visits.tsx';

const route = getRouteApi('/shell/face-database');

// The people come with the page; what is opened from them, and the other lists, when they are opened.
const { Component: AddDialog } = onDemand<AddDialogProps>(
  async () => (await import('./person/add-dialog.tsx')).AddDialog,
);
const { Component: FaceDialogs } = onDemand<FaceDialogsProps>(
  async () => (await import('./face-dialogs.tsx')).FaceDialogs,
);
const { Component: StrangerDialog } = onDemand<StrangerDialogProps>(
  async () => (await import('./unknown/stranger-dialog.tsx')).StrangerDialog,
);
const { Component: StrangerList } = onDemand<StrangerListProps>(
  async () => (await import('./unknown/stranger-list.tsx')).StrangerList,
);
const { Component: UnknownVisits } = onDemand<UnknownVisitsProps>(
  async () => (await import('./unknown/unknown-visits.tsx')).UnknownVisits,
);

/** A notice goes after this time (FACE-051, CON-005). */
const NOTICE_MS = 3000;

type Change = { [K in keyof FacesSearch]?: FacesSearch[K] | undefined };

/** The address with some of its parts changed; what is undefined leaves it. */
function changed(search: FacesSearch, change: Change): FacesSearch {
  const entries = Object.entries({ ...search, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Remembered for the account. */
function ViewToggle() {
  const { t } = useTranslation();
  const { faces_view: view } = usePreferences();
  return (
    <Segmented
      label={t('faces.layout')}
      value={view}
      onChange={(faces_view) => void changePreferences({ faces_view })}
      options={[
        {
          value: 'grid',
          label: t('faces.grid'),
          icon: <LayoutGrid aria-hidden />,
          hideLabel: true,
        },
        { value: 'list', label: t('faces.list'), icon: <List aria-hidden />, hideLabel: true },
      ]}
    />
  );
}

type View = NonNullable<FacesSearch['view']> | 'people';

interface ViewChoiceProps {
  view: View;
  onView: (view: View) => void;
}

function ViewChoice({ view, onView }: ViewChoiceProps) {
  const { t } = useTranslation();
  return (
    <div>
      <Segmented
        label={t('faces.show')}
        value={view}
        onChange={onView}
        options={[
          { value: 'people', label: t('faces.people') },
          { value: 'unknown', label: t('strangers.title') },
          { value: 'visits', label: t('unknown.title') },
        ]}
      />
    </div>
  );
}

interface OpenDialogsProps {
  open: readonly OpenDialog[];
  onOpen: Dispatch<SetStateAction<readonly OpenDialog[]>>;
  /** Whom the address names: their details lie below what is open. */
  linked?: Face;
  onCloseLinked: () => void;
  onDone: (sentence: string) => void;
}

function OpenDialogs({ open, onOpen, linked, onCloseLinked, onDone }: OpenDialogsProps) {
  const below: OpenDialog[] = linked === undefined ? [] : [{ action: 'details', face: linked }];
  const all = [...below, ...open];
  if (all.length === 0) return null;
  return (
    <FaceDialogs
      open={all}
      onOpen={(dialog) => onOpen([...open, dialog])}
      onClose={() => (open.length === 0 ? onCloseLinked() : onOpen((above) => above.slice(0, -1)))}
      onDone={(sentence) => {
        // No dialog is left to lead back to when its person was erased.
        const isErased = open.at(-1)?.action === 'erase';
        onOpen(isErased ? [] : open.slice(0, -1));
        if (isErased && linked !== undefined) onCloseLinked();
        onDone(sentence);
      }}
    />
  );
}

export function FacesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<readonly OpenDialog[]>([]);
  const [seen, setSeen] = useState<Visit | undefined>();
  const [notice, setNotice] = useNotice();
  const wide = useMedia(ROOM_FOR_TABLE);
  const [stranger, setStranger] = useState<UnknownFace | null>(null);
  const view: View = search.view ?? 'people';

  const go = (change: Change, replace = false): void =>
    void navigate({ search: changed(search, change), replace });
  const toPage: GoToPage = (page, replace) => go({ page: page > 1 ? page : undefined }, replace);
  const openAdd = (visit?: Visit): void => {
    setSeen(visit);
    go({ add: true });
  };
  const closeAdd = (): void => go({ add: undefined }, true);
  const closeLinked = (): void => go({ person: undefined, stranger: undefined }, true);
  const dialogs = { open, onOpen: setOpen, onCloseLinked: closeLinked, onDone: setNotice };

  return (
    <Page
      title={t('faces.title')}
      actions={
        <>
          {view === 'people' && wide && <ViewToggle />}
          <Button onClick={() => openAdd()}>
            <UserPlus aria-hidden />
            {t('faces.add')}
          </Button>
        </>
      }
    >
      <ViewChoice
        view={view}
        onView={(next) => void navigate({ search: next === 'people' ? {} : { view: next } })}
      />
      {view === 'unknown' && (
        <StrangerList
          search={search}
          onFilter={(change) => go({ ...change, page: undefined })}
          onPage={toPage}
          onOpen={setStranger}
        />
      )}
      {view === 'visits' && (
        <UnknownVisits page={search.page ?? 1} onPage={toPage} onAdd={openAdd} />
      )}
      {view === 'people' && (
        <People
          search={search}
          onFilter={(change) => go({ ...change, page: undefined })}
          onPage={toPage}
          onClear={() => void navigate({ search: {} })}
          onAdd={() => openAdd()}
          onAction={(action, face) => setOpen([{ action, face }])}
        />
      )}
      {stranger !== null && (
        <StrangerDialog
          stranger={stranger}
          onClose={() => setStranger(null)}
          onLeave={() => setStranger(null)}
          onSaid={setNotice}
        />
      )}
      {search.stranger !== undefined && (
        <LinkedStranger key={search.stranger} id={search.stranger} onClose={closeLinked}>
          {(linked) => (
            <StrangerDialog stranger={linked} onClose={closeLinked} onSaid={setNotice} />
          )}
        </LinkedStranger>
      )}
      {search.add && (
        <AddDialog
          seen={seen}
          onClose={closeAdd}
          onDone={(sentence) => {
            closeAdd();
            setNotice(sentence);
          }}
        />
      )}
      {search.person === undefined ? (
        <OpenDialogs {...dialogs} />
      ) : (
        <LinkedPerson key={search.person} id={search.person} onClose={closeLinked}>
          {(linked) => <OpenDialogs {...dialogs} linked={linked} />}
        </LinkedPerson>
      )}
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
    </Page>
  );
}
