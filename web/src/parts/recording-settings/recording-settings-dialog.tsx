/**
 * When a camera is recorded, where to and how long: users who may change cameras change it,
 * users who may play what is recorded read it. The page around it says that it is saved.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { settingsQuery } from './queries.ts';
import { SettingsFacts } from './settings-facts.tsx';
import { SettingsForm } from './settings-form.tsx';

export interface RecordingSettingsProps {
  camera: Camera;
  onClose: () => void;
  /** Absent: it closes. */
  onSaved?: () => void;
}

export function RecordingSettingsDialog({
  camera,
  onClose,
  onSaved = onClose,
}: RecordingSettingsProps) {
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  const settings = useQuery(settingsQuery(camera.id));
  return (
    <Dialog
      open
      title={t('recordingSettings.title', { name: camera.name })}
      {...(!mayChange && { description: t('recordingSettings.readOnly') })}
      width="large"
      onClose={onClose}
    >
      <QueryView
        query={settings}
        skeleton={<Skeleton className="h-64" />}
        failedTitle={t('recordingSettings.loadFailed')}
      >
        {(saved) =>
          mayChange ? (
            <SettingsForm camera={camera} saved={saved} onSaved={onSaved} onCancel={onClose} />
          ) : (
            <SettingsFacts settings={saved} />
          )
        }
      </QueryView>
    </Dialog>
  );
}
