import type { FoundCamera } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { TextField } from '#ui/fields.tsx';
import { TakenList } from './taken-list.tsx';
import type { Chosen } from './use-chosen.ts';

export interface FoundListProps {
  found: readonly FoundCamera[];
  chosen: Chosen;
}

export function FoundList({ found, chosen }: FoundListProps) {
  const { t } = useTranslation();
  const count = chosen.cameras.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {found.length > 1 && (
        <Checkbox
          label={t('cameraImport.all', { count: found.length })}
          checked={count === found.length}
          mixed={count > 0 && count < found.length}
          onChange={chosen.turnAll}
        />
      )}
      <ul aria-label={t('cameraImport.found')} className="grid gap-3">
        {found.map((camera) => (
          <FoundLine key={camera.key} camera={camera} chosen={chosen} />
        ))}
      </ul>
    </div>
  );
}

function FoundLine({ camera, chosen }: { camera: FoundCamera; chosen: Chosen }) {
  const { t } = useTranslation();
  const { key, name, url, sub_url: sub, username, has_password: hasPassword } = camera;
  const signIn = [username, hasPassword && t('cameraImport.withPassword')].filter(Boolean);
  return (
    <li className="flex items-start gap-2.5">
      <Checkbox
        aria-label={t('cameraSelection.one', { name })}
        className="mt-1.5"
        checked={chosen.has(key)}
        onChange={() => chosen.turn(key)}
      />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <TextField
          label={t('cameraImport.nameOf', { name })}
          hideLabel
          autoComplete="off"
          maxLength={150}
          disabled={!chosen.has(key)}
          value={chosen.nameOf(camera)}
          onChange={({ target }) => chosen.rename(key, target.value)}
        />
        {[url, sub].filter(Boolean).map((address) => (
          <p key={address} className="text-meta break-all text-muted">
            {address}
          </p>
        ))}
        {signIn.length > 0 && <p className="text-meta break-words text-muted">{joined(signIn)}</p>}
        <TakenList settings={camera.settings} />
        {!camera.is_enabled && <p className="text-meta">{t('cameraImport.turnedOff')}</p>}
      </div>
    </li>
  );
}
