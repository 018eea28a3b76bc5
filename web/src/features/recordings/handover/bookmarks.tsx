/** Bookmarks of a camera: moments with a note, for all who may see its recordings. */
import type { Bookmark } from '@nazar/contract/bookmarks.ts';
import { useQuery } from '@tanstack/react-query';
import { Bookmark as BookmarkIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useSeeing } from '#api/see-as.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { AddBookmark } from './add-bookmark.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import { bookmarksQuery, PAGE_SIZE, useRemoveBookmark } from './queries.ts';
import { useExistingPage } from './existing-page-number.ts';

const exact = { dateStyle: 'medium', timeStyle: 'medium' } as const;

export interface BookmarksProps {
  camera: NamedCamera;
  /** The moment of the picture that is shown; null: none is. */
  playback: Pick<RecordedPlayback, 'shownMs'>;
  onSeek: (momentMs: number) => void;
}

export function Bookmarks({ camera, playback, onSeek }: BookmarksProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [leaving, setLeaving] = useState<Bookmark | null>(null);
  const mayChange = useSeeing() === null;
  const query = useQuery(bookmarksQuery(camera.id, page));
  useExistingPage(page, setPage, query.data);
  return (
    <div className="grid gap-3">
      {mayChange && <AddBookmark camera={camera} playback={playback} />}
      <StaleNote queries={[query]} />
      <QueryView
        query={query}
        failedTitle={t('handover.bookmarksFailed')}
        skeleton={<Skeleton className="h-24" />}
      >
        {({ count, results }) => (
          <>
            {count === 0 && (
              <EmptyState
                icon={<BookmarkIcon />}
                title={t('handover.noBookmarks')}
                text={t('handover.noBookmarksText')}
              />
            )}
            <RowList label={t('handover.bookmarksOf', { name: camera.name })}>
              {results.map((bookmark) => (
                <BookmarkRow
                  key={bookmark.id}
                  bookmark={bookmark}
                  onSeek={onSeek}
                  onRemove={mayChange && bookmark.may_delete ? () => setLeaving(bookmark) : null}
                />
              ))}
            </RowList>
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
          </>
        )}
      </QueryView>
      {leaving && <Remove bookmark={leaving} onClose={() => setLeaving(null)} />}
    </div>
  );
}

interface BookmarkRowProps {
  bookmark: Bookmark;
  onSeek: (momentMs: number) => void;
  onRemove: (() => void) | null;
}

function BookmarkRow({ bookmark, onSeek, onRemove }: BookmarkRowProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { note, at, created_by: by } = bookmark;
  const time = formatTime(at, exact);
  return (
    <li className="flex items-start gap-2 py-2.5">
      <div className="min-w-0 flex-1">
        <Button
          look="link"
          className="figures"
          aria-label={t('handover.showBookmark', { time, note })}
          onClick={() => onSeek(Date.parse(at))}
        >
          {time}
        </Button>
        <p className="text-ui break-words">{note}</p>
        <p className="text-meta text-muted">{by.name}</p>
      </div>
      {onRemove !== null && (
        <IconButton small label={t('handover.removeBookmarkOf', { note })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

function Remove({ bookmark, onClose }: { bookmark: Bookmark; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useRemoveBookmark();
  return (
    <AlertDialog
      open
      danger
      title={t('handover.removeBookmarkTitle')}
      description={bookmark.note}
      confirmLabel={t('handover.removeBookmark')}
      busy={remove.isPending}
      error={remove.isError && <Banner tone="error">{problemSentence(remove.error)}</Banner>}
      onConfirm={() => remove.mutate(bookmark.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
