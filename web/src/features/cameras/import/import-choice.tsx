import type { ImportPreview } from '@nazar/contract/camera-import.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { PasswordField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

export interface ImportChoiceProps {
  preview: ImportPreview;
  variables: Readonly<Record<string, string>>;
  onVariables: (variables: Readonly<Record<string, string>>) => void;
  /** Reads the file again, with the variables. */
  onAgain: () => void;
  onAdd: (choice: { location: string; keys: readonly string[] }) => void;
  onCancel: () => void;
  busy: boolean;
}

/** What the file has, what of it is not taken and why, and the choice. */
export function ImportChoice(props: ImportChoiceProps) {
  const { preview, variables, onVariables, onAgain, onAdd, onCancel, busy } = props;
  const { t } = useTranslation();
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [location, setLocation] = useState('');
  const keys = preview.cameras.map(({ key }) => key).filter((key) => !without.has(key));
  const turn = (key: string): void =>
    setWithout((before) => before.symmetricDifference(new Set([key])));
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (keys.length > 0) onAdd({ location, keys });
      }}
    >
      {preview.cameras.length === 0 && <Banner tone="info">{t('cameraImport.nothing')}</Banner>}
      <ul aria-label={t('cameraImport.found')} className="grid gap-3">
        {preview.cameras.map(({ key, name, url, sub_url: sub }) => (
          <li key={key}>
            <Checkbox
              label={<span className="break-words">{name}</span>}
              hint={<span className="break-all">{[url, sub].filter(Boolean).join(' · ')}</span>}
              checked={!without.has(key)}
              onChange={() => turn(key)}
            />
          </li>
        ))}
      </ul>
      <LeftOutList preview={preview} />
      {preview.unset_variables.length > 0 && (
        <div className="grid gap-3">
          {preview.unset_variables.map((name) => (
            <PasswordField
              key={name}
              label={name}
              autoComplete="off"
              value={variables[name] ?? ''}
              onChange={({ target }) => onVariables({ ...variables, [name]: target.value })}
            />
          ))}
          <Button look="secondary" onClick={onAgain} busy={busy}>
            {t('cameraImport.again')}
          </Button>
        </div>
      )}
      <TextField
        label={t('camera.location')}
        required
        autoComplete="off"
        value={location}
        maxLength={150}
        onChange={({ target }) => setLocation(target.value)}
      />
      <FormActions
        label={t('cameraImport.add', { count: keys.length })}
        busy={busy}
        onCancel={onCancel}
      />
    </form>
  );
}

function LeftOutList({ preview: { left_out: leftOut } }: Pick<ImportChoiceProps, 'preview'>) {
  const { t } = useTranslation();
  if (leftOut.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-ui font-semibold">{t('cameraImport.leftOut')}</h3>
      <ul className="grid max-h-60 gap-1.5 overflow-y-auto text-meta">
        {leftOut.map(({ key, name, fault, about }) => (
          <li key={`${key} ${fault} ${about}`} className="break-words">
            <span className="font-medium">{name}</span>{' '}
            <span className="text-muted">
              {[t(`cameraImport.faults.${fault}`), about].filter(Boolean).join(' ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
