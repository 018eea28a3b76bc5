/** Ticks that select cameras: one, or all that are shown. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import type { Selection } from './use-selection.ts';

export interface SelectBoxProps {
  camera: Camera;
  /** The list in its order, for ranges. */
  shown: readonly Camera[];
  selection: Selection;
}

export function SelectBox({ camera, shown, selection }: SelectBoxProps) {
  const { t } = useTranslation();
  return (
    <Checkbox
      aria-label={t('cameraSelection.one', { name: camera.name })}
      checked={selection.cameras.has(camera.id)}
      // The change knows nothing of keys that are held; a click by the space bar is one, too.
      onClick={({ shiftKey }) => selection.toggle(camera, shiftKey, shown)}
      onChange={() => undefined}
    />
  );
}

export function SelectShown({ shown, selection }: Omit<SelectBoxProps, 'camera'>) {
  const { t } = useTranslation();
  const count = shown.filter(({ id }) => selection.cameras.has(id)).length;
  const all = count === shown.length;
  return (
    <Checkbox
      label={t('cameraSelection.shown')}
      checked={all}
      mixed={count > 0 && !all}
      onChange={() => (all ? selection.remove(shown) : selection.add(shown))}
    />
  );
}
