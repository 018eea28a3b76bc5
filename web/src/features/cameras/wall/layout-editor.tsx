/** The bar above the tiles while a layout is arranged: what it is called, how it runs, and who may show it. */
import type { Camera } from '@nazar/contract/cameras.ts';
import type { WallLayout } from '@nazar/contract/wall-layouts.ts';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Input } from '#ui/input.tsx';
import { CameraPicker } from './camera-picker.tsx';
import { useRemoveLayout, useSaveLayout, type Draft } from './queries.ts';
import { TilesSelect, TourSelect } from './wall-selects.tsx';

export interface LayoutEditorProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  cameras: readonly Camera[];
  /** It is left as it was. */
  onCancel: () => void;
  onSaved: (layout: WallLayout) => void;
  onRemoved: () => void;
  /** Begins again with what is stored now. */
  onReload: () => void;
}

/** What the contract allows; longer names are not typed. */
const LONGEST_NAME = 60;

export function LayoutEditor(props: LayoutEditorProps) {
  const { draft, onDraft, cameras, onCancel, onSaved, onReload } = props;
  const { t } = useTranslation();
  const mayShare = mayChangeCameras(useUser());
  const save = useSaveLayout();
  const [picking, setPicking] = useState(false);
  const saveAs = (next: Draft): void => save.mutate(next, { onSuccess: onSaved });
  const reload = (): void => {
    save.reset();
    onReload();
  };
  const isComplete = draft.name.trim() !== '' && draft.tiles.length > 0;
  return (
    <form
      aria-label={t('wall.arrange')}
      className="card grid gap-3 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) saveAs(draft);
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-64">
          <Input
            aria-label={t('wall.name')}
            placeholder={t('wall.name')}
            required
            maxLength={LONGEST_NAME}
            value={draft.name}
            onChange={({ target }) => onDraft({ ...draft, name: target.value })}
          />
        </div>
        <TilesSelect
          value={draft.tiles_per_page}
          onChange={(tiles_per_page) => onDraft({ ...draft, tiles_per_page })}
        />
        <TourSelect
          value={draft.tour_seconds}
          onChange={(tour_seconds) => onDraft({ ...draft, tour_seconds })}
        />
        {mayShare && (
          <Checkbox
            label={t('wall.share')}
            checked={draft.is_shared}
            onChange={({ target }) => onDraft({ ...draft, is_shared: target.checked })}
          />
        )}
      </div>
      <p className="text-meta text-muted">{t('wall.arrangeHint')}</p>
      {save.isError && (
        <Refused {...props} error={save.error} onSaveAsNew={saveAs} onReload={reload} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" onClick={() => setPicking(true)}>
          <Plus aria-hidden />
          {t('wall.chooseCameras')}
        </Button>
        {draft.id !== null && <RemoveLayout {...props} id={draft.id} />}
        <Button look="secondary" className="ml-auto" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" busy={save.isPending} disabled={!isComplete}>
          {t('wall.save')}
        </Button>
      </div>
      {picking && (
        <CameraPicker
          cameras={cameras}
          tiles={draft.tiles}
          onTiles={(tiles) => onDraft({ ...draft, tiles })}
          onClose={() => setPicking(false)}
        />
      )}
    </form>
  );
}

interface RefusedProps extends LayoutEditorProps {
  error: Error;
  onSaveAsNew: (draft: Draft) => void;
}

/** Another user was faster: what was arranged here is still on the screen, and nothing of either is lost. */
function Refused({ error, draft, onReload, onSaveAsNew }: RefusedProps) {
  const { t } = useTranslation();
  const code = error instanceof Problem ? error.code : '';
  const isLate = code === 'layout_changed';
  return (
    <Banner tone="error">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {problemSentence(error)}
        {(isLate || code === 'layout_not_found') && (
          <Button
            look="link"
            className="text-current underline"
            onClick={() => onSaveAsNew({ ...draft, id: null, is_shared: false })}
          >
            {t('wall.saveAsNew')}
          </Button>
        )}
        {isLate && (
          <Button look="link" className="text-current underline" onClick={onReload}>
            {t('wall.loadStored')}
          </Button>
        )}
      </span>
    </Banner>
  );
}

function RemoveLayout({ id, draft, onRemoved }: LayoutEditorProps & { id: string }) {
  const { t } = useTranslation();
  const remove = useRemoveLayout();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setAsked(true)}>
        <Trash2 aria-hidden />
        {t('wall.remove')}
      </Button>
      <AlertDialog
        open={asked}
        danger
        title={t('wall.removeTitle')}
        description={t(draft.is_shared ? 'wall.removeShared' : 'wall.removeText', {
          name: draft.name,
        })}
        confirmLabel={t('wall.remove')}
        busy={remove.isPending}
        {...(remove.isError && { error: problemSentence(remove.error) })}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate(id, { onSuccess: onRemoved })}
      />
    </>
  );
}
