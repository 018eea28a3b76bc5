import { useTranslation } from '#lib/i18n.ts';
import { takeFocus } from '#lib/take-focus.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

export interface LateSaveProps {
  onSaveAnyway: () => void;
  onReload: () => void;
}

/** Another user was faster: what was typed is still in the form, and this user decides whose camera it becomes. */
export function LateSave({ onSaveAnyway, onReload }: LateSaveProps) {
  const { t } = useTranslation();
  return (
    // The button that was pressed is far below, in a long form.
    <div ref={takeFocus} tabIndex={-1} className="outline-none">
      <Banner tone="error">
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {t('problem:problem.camera_changed')}
          <Button look="link" className="text-current underline" onClick={onSaveAnyway}>
            {t('cameraAdding.saveAnyway')}
          </Button>
          <Button look="link" className="text-current underline" onClick={onReload}>
            {t('cameraAdding.loadStored')}
          </Button>
        </span>
      </Banner>
    </div>
  );
}
