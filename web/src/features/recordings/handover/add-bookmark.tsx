import { BookmarkFields } from '@nazar/contract/bookmarks.ts';
import { BookmarkPlus } from 'lucide-react';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { useAddBookmark } from './queries.ts';

export interface AddBookmarkProps {
  camera: { readonly id: string };
  playback: Pick<RecordedPlayback, 'shownMs'>;
}

/** The moment is the one that was shown when the user opened it: playing may go on while they type. */
export function AddBookmark({ camera, playback }: AddBookmarkProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const isShowing = useSignal(playback.shownMs) !== null;
  const [atMs, setAtMs] = useState<number | null>(null);
  const close = (): void => {
    setAtMs(null);
    button.current?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        look="secondary"
        size="small"
        className="justify-self-start"
        aria-expanded={atMs !== null}
        disabled={!isShowing && atMs === null}
        onClick={() => setAtMs(playback.shownMs.get() ?? atMs)}
      >
        <BookmarkPlus aria-hidden />
        {t('handover.addBookmark')}
      </Button>
      {atMs !== null && <NoteForm camera={camera} atMs={atMs} onClose={close} />}
    </>
  );
}

interface NoteFormProps {
  camera: { readonly id: string };
  atMs: number;
  onClose: () => void;
}

function NoteForm({ camera, atMs, onClose }: NoteFormProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [note, setNote] = useState('');
  const [wasSent, setSent] = useState(false);
  const add = useAddBookmark(camera.id);
  const fields = { at: new Date(atMs).toISOString(), note };
  const fault = noteFault(fields);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSent(true);
    if (fault !== null || add.isPending) return;
    add.mutate(fields, { onSuccess: onClose });
  };
  const time = formatTime(atMs, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      {add.isError && <Banner tone="error">{problemSentence(add.error)}</Banner>}
      <TextField
        ref={input}
        label={t('handover.noteAt', { time })}
        hint={t('handover.noteHint')}
        required
        value={note}
        error={wasSent && fault !== null ? t(`handover.noteFault.${fault}`) : undefined}
        onChange={({ target }) => setNote(target.value)}
      />
      <FormActions
        className="mt-0"
        label={t('handover.saveBookmark')}
        busy={add.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

/** As the server would refuse it. */
function noteFault(fields: BookmarkFields): 'missing' | 'tooLong' | null {
  if (fields.note.trim() === '') return 'missing';
  return BookmarkFields.safeParse(fields).success ? null : 'tooLong';
}
