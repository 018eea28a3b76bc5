/** When this camera is recorded, where to and how long; who may not change it reads it. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { Settings } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { RecordingSettings } from '#parts/recording-settings/recording-settings.tsx';
import { Button } from '#ui/button.tsx';

/** A notice goes after this time (CON-005). */
const noticeMs = 3500;

export function SettingsButton({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [notice, setNotice] = useNotice();
  const saved = (): void => {
    setOpen(false);
    setNotice(t('recordingSettings.saved'));
  };
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Settings aria-hidden />
        {t('recordingControl.settings')}
      </Button>
      {isOpen && (
        <RecordingSettings camera={camera} onSaved={saved} onClose={() => setOpen(false)} />
      )}
      <NoticeBanner notice={notice} clearAfterMs={noticeMs} onClose={() => setNotice(null)} />
    </>
  );
}
