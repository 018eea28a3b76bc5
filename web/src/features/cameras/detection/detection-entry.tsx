import type { Camera } from '@nazar/contract/cameras.ts';
import { useNavigate } from '@tanstack/react-router';
import { ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { MenuItem } from '#ui/menu.tsx';
import { detectsFaces } from '../camera-words.ts';
import { useDetection } from './detection-scope.tsx';
import { useBoxesShown, useMayDetect, useOwnDetection, useStreamViewers } from './use-detecting.ts';

/**
 * Where others have started it, stopping is offered to each who may. A camera that
 * recognizes by itself and sends nothing detects nothing: there is nothing to stop.
 */
export function DetectionEntry({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const detection = useDetection();
  const navigate = useNavigate();
  const viewers = useStreamViewers(camera.id);
  const own = useOwnDetection(camera.id);
  const shown = useBoxesShown(camera);
  const may = useMayDetect(camera);
  const runsByItself = shown && detectsFaces(camera);
  const runs = own !== null || (camera.enable_face_recognition ? runsByItself : viewers > 0);
  const show = (): void =>
    void navigate({
      to: '/cameras/$cameraId',
      params: { cameraId: camera.id },
      search: true,
      resetScroll: false,
    });
  if (!may) return null;
  return (
    <MenuItem
      icon={<ScanFace aria-hidden />}
      onSelect={() => (runs ? void detection.stop(camera) : detection.start(camera, show))}
    >
      {runs ? t('detecting.stop') : t('detecting.start')}
    </MenuItem>
  );
}
