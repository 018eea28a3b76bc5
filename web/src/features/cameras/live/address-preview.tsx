/**
 * The page of a camera whose address gives no video. Whether there is one, and whether this reader may
 * see it, is the server's to say; it is framed by a document of the server that allows this camera's origin alone.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { buttonClass } from '#ui/button.tsx';

const isWeb = (url: string | undefined): boolean => /^https?:\/\//i.test(url ?? '');

/** A reader who sees no address has no page to see; what plays is played. It stays while the ingest tries again. */
const mayHavePage = ({ status, url, health }: Camera): boolean =>
  status === 'active' &&
  isWeb(url) &&
  (health.cause === 'not_video' || health.cause === 'starting');

/** Browsers load nothing unencrypted into an encrypted page. */
const isMixed = (url: string): boolean => location.protocol === 'https:' && url.startsWith('http:');

export function AddressPreview({ camera }: { camera: Camera }) {
  const [isPage, setIsPage] = useState(false);
  const may = mayHavePage(camera);
  if (isPage && !may) setIsPage(false);
  if (!isPage && may && camera.health.cause === 'not_video') setIsPage(true);
  return isPage && may ? <Asked key={camera.url} camera={camera} /> : null;
}

function Asked({ camera }: { camera: Camera }) {
  const { id } = camera;
  const page = useQuery({
    ...ask('cameras', liveViewRoutes.page, { params: { id } }),
    gcTime: 0,
  });
  /** The first one: another ticket would load the page anew. */
  const [frame, setFrame] = useState<string | null>(null);
  const { viewer_url: viewer = null, frame_url: framed = null } = page.data ?? {};
  if (frame === null && framed !== null) setFrame(framed);
  // A right that was taken or a mask that was drawn meanwhile: the server has no page for this reader any more.
  if (viewer === null || !isWeb(viewer)) return null;
  const mayFrame = framed !== null && !isMixed(viewer);
  return <CameraPage camera={camera} viewer={viewer} frame={mayFrame ? frame : null} />;
}

interface CameraPageProps {
  camera: Camera;
  viewer: string;
  /** Null: it is opened in a tab and nowhere else. */
  frame: string | null;
}

function CameraPage({ camera, viewer, frame }: CameraPageProps) {
  const { t } = useTranslation();
  return (
    <div className="absolute inset-0 flex flex-col bg-surface-2">
      {frame !== null && (
        <iframe
          key={camera.id}
          src={frame}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          title={t('liveView.viewerFrame', { name: camera.name })}
          className="min-h-0 w-full flex-1 border-0 bg-white"
        />
      )}
      <div
        className={
          frame === null
            ? 'm-auto grid justify-items-center gap-3 p-4 text-center'
            : 'flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2'
        }
      >
        <p className="text-ui text-muted">
          {frame === null ? t('liveView.viewerOnly') : t('liveView.frameEmpty')}
        </p>
        <a
          href={viewer}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'small')}
        >
          <ExternalLink aria-hidden />
          {t('liveView.openViewer')}
        </a>
      </div>
    </div>
  );
}
