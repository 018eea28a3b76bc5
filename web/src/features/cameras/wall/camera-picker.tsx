import type { Camera } from '@nazar/contract/cameras.ts';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { maxTiles, type WallTile } from '@nazar/contract/wall-layouts.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Input } from '#ui/input.tsx';

export interface CameraPickerProps {
  cameras: readonly Camera[];
  tiles: readonly WallTile[];
  onTiles: (tiles: WallTile[]) => void;
  onClose: () => void;
}

/** Which cameras stand on the wall. What is ticked comes to its end at once. */
export function CameraPicker({ cameras, tiles, onTiles, onClose }: CameraPickerProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const chosen = new Set(tiles.map((tile) => tile.camera_id));
  const isFull = tiles.length >= maxTiles;
  const wanted = foldedText(words.trim());
  const fits = ({ name, location }: Camera): boolean =>
    foldedText(`${name} ${location}`).includes(wanted);
  const toggle = (id: string): void =>
    onTiles(
      chosen.has(id)
        ? tiles.filter((tile) => tile.camera_id !== id)
        : [...tiles, { camera_id: id, is_pinned: false }],
    );
  return (
    <Dialog
      open
      title={t('wall.chooseCameras')}
      description={t('wall.chosen', { count: tiles.length, max: maxTiles })}
      onClose={onClose}
    >
      <Input
        type="search"
        aria-label={t('cameras.search')}
        placeholder={t('cameras.search')}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <ul className="mt-3 grid max-h-80 gap-1 overflow-y-auto">
        {cameras.filter(fits).map((camera) => (
          <li key={camera.id}>
            <Checkbox
              label={camera.name}
              hint={camera.location}
              checked={chosen.has(camera.id)}
              disabled={isFull && !chosen.has(camera.id)}
              onChange={() => toggle(camera.id)}
            />
          </li>
        ))}
      </ul>
      <Actions>
        <Button onClick={onClose}>{t('wall.done')}</Button>
      </Actions>
    </Dialog>
  );
}
