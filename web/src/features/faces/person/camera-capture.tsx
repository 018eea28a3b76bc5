import { Camera } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

/** Browsers offer it on secure addresses only: https, or this machine itself. */
export const canCapture = (): boolean =>
  'mediaDevices' in navigator && typeof navigator.mediaDevices.getUserMedia === 'function';

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 720 } },
};
/** High enough that the face suffers nothing that the camera did not do. */
const JPEG_QUALITY = 0.92;

type Fault = 'photo.cameraDenied' | 'photo.cameraMissing';

const faultOf = (error: unknown): Fault =>
  error instanceof DOMException && error.name === 'NotAllowedError'
    ? 'photo.cameraDenied'
    : 'photo.cameraMissing';

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** The device's camera while the component is shown; its light goes out with it. */
function useCamera() {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  useEffect(() => {
    let over = false;
    let opened: MediaStream | null = null;
    const open = async (): Promise<void> => {
      try {
        opened = await navigator.mediaDevices.getUserMedia(WANTED);
        if (over) stop(opened);
        else setStream(opened);
      } catch (error) {
        setFault(faultOf(error));
      }
    };
    void open();
    return () => {
      over = true;
      if (opened !== null) stop(opened);
    };
  }, []);
  return { stream, fault };
}

function grab(video: HTMLVideoElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY);
  });
}

export interface CameraCaptureProps {
  onPhoto: (photo: File) => void;
  onClose: () => void;
}

export function CameraCapture({ onPhoto, onClose }: CameraCaptureProps) {
  const { t } = useTranslation();
  const { stream, fault } = useCamera();
  const [ready, setReady] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  if (fault !== null) return <Banner tone="error">{t(fault)}</Banner>;

  const shoot = async (): Promise<void> => {
    const blob = video.current === null ? null : await grab(video.current);
    if (blob === null) return;
    const name = `${t('photo.takenName')} ${new Date().toISOString().slice(11, 19)}.jpg`;
    onPhoto(new File([blob], name, { type: 'image/jpeg' }));
  };
  return (
    <div className="grid gap-2">
      <video
        ref={video}
        autoPlay
        playsInline
        muted
        aria-label={t('photo.preview')}
        // A mirror is what people expect of their own picture; the photo itself is not mirrored.
        className="aspect-video w-full -scale-x-100 rounded-control bg-surface-3 object-cover sm:max-w-sm"
        onLoadedData={() => setReady(true)}
      />
      <div className="flex gap-2">
        <Button size="small" disabled={!ready} onClick={() => void shoot()}>
          <Camera aria-hidden />
          {t('photo.shoot')}
        </Button>
        <Button size="small" look="ghost" onClick={onClose}>
          {t('ui.close')}
        </Button>
      </div>
    </div>
  );
}
