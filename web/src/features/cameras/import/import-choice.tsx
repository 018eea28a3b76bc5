import type { ImportPreview } from '@nazar/contract/camera-import.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { FoundList } from './found-list.tsx';
import { LeftOutList } from './left-out-list.tsx';
import { SettingsLeft } from './settings-left.tsx';
import { UnsetVariables } from './unset-variables.tsx';
import { useChosen } from './use-chosen.ts';
import type { Choice, Variables } from './use-import.ts';

export interface ImportChoiceProps {
  preview: ImportPreview;
  variables: Variables;
  onVariables: (variables: Variables) => void;
  /** Reads the file again, with the variables. */
  onAgain: () => void;
  onAdd: (choice: Choice) => void;
  /** To another file. */
  onBack: () => void;
  onCancel: () => void;
  busy: boolean;
}

/** What the file has, what of it is not taken and why, and the choice. */
export function ImportChoice(props: ImportChoiceProps) {
  const { preview, variables, onVariables, onAgain, onAdd, onBack, onCancel, busy } = props;
  const { t } = useTranslation();
  const chosen = useChosen(preview.cameras);
  const [location, setLocation] = useState('');
  const [activate, setActivate] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const lacksLocation = isAsked && location.trim() === '';
  const count = chosen.cameras.length;
  const groups = preview.groups.filter(({ cameras }) => cameras.some(chosen.has));
  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setIsAsked(true);
        if (location.trim() !== '') onAdd({ location, activate, cameras: chosen.cameras });
      }}
    >
      {preview.cameras.length === 0 ? (
        <Banner tone="info">{t('cameraImport.nothing')}</Banner>
      ) : (
        <FoundList found={preview.cameras} chosen={chosen} />
      )}
      {preview.unset_variables.length > 0 && (
        <UnsetVariables
          names={preview.unset_variables}
          values={variables}
          onValues={onVariables}
          onAgain={onAgain}
          busy={busy}
        />
      )}
      <LeftOutList leftOut={preview.left_out} />
      {groups.length > 0 && (
        <p className="text-meta break-words">
          {t('cameraImport.groups', {
            names: joined(
              groups.map(({ name }) => name),
              ', ',
            ),
          })}
        </p>
      )}
      <SettingsLeft
        settings={preview.settings_left.filter(({ key }) => key === '' || chosen.has(key))}
        more={preview.settings_left_more}
      />
      {preview.cameras.length > 0 && (
        <>
          <TextField
            label={t('camera.location')}
            hint={t('cameraImport.locationHint')}
            required
            autoComplete="off"
            maxLength={150}
            error={lacksLocation ? t('problem:field.required') : undefined}
            value={location}
            onChange={({ target }) => setLocation(target.value)}
          />
          <Switch
            label={t('cameraImport.activate')}
            hint={t('cameraImport.activateHint')}
            checked={activate}
            onChange={({ target }) => setActivate(target.checked)}
          />
        </>
      )}
      <Actions className="mt-0!">
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button look="secondary" onClick={onBack}>
          {t('cameraImport.otherFile')}
        </Button>
        {preview.cameras.length > 0 && (
          <Button type="submit" busy={busy} disabled={count === 0}>
            {t('cameraImport.add', { count })}
          </Button>
        )}
      </Actions>
    </form>
  );
}
