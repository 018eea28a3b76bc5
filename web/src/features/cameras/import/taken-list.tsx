import type { FoundCamera } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';

/** What of a camera's settings is taken over with its addresses. */
export function TakenList({ settings }: Pick<FoundCamera, 'settings'>) {
  const { t } = useTranslation();
  const { recording, motion_zones: zones, device_url: url } = settings;
  const kind = recording?.continuous ? 'continuous' : 'motion';
  const lines = [
    recording
      ? t(`cameraImport.taken.${kind}`, { count: recording.retention_days })
      : t('cameraImport.taken.notRecorded'),
    settings.enable_audio && t('cameraImport.taken.sound'),
    !settings.enable_face_recognition && t('cameraImport.taken.noFaces'),
    zones > 0 && t('cameraImport.taken.zones', { count: zones }),
    url !== '' && t('cameraImport.taken.device', { url }),
  ].filter((line) => line !== false);
  return (
    <>
      <p className="text-meta break-words">{joined(lines)}</p>
      {settings.zones_of_sub && <p className="text-meta">{t('cameraImport.taken.check')}</p>}
    </>
  );
}
