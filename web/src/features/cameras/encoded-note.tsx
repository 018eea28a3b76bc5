/**
 * Says that the picture is converted for browsers, because the camera's own coding is one that many cannot play, and
 * offers the other stream where that one is passed on as it is.
 */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { codecNames } from './codec-names.ts';

/** What the server passes on to viewers as it comes. */
const passedOn = 'h264';

export interface EncodedNoteProps {
  camera: Camera;
  stream: StreamName;
  onStream: (stream: StreamName) => void;
}

export function EncodedNote({ camera, stream, onStream }: EncodedNoteProps) {
  const { t } = useTranslation();
  const { health } = camera;
  const { sub } = health;
  const shown = stream === 'sub' && sub?.state === 'live' ? sub : health;
  const { codec } = shown;
  if (shown.state !== 'live' || codec === null) return null;
  const isEncoded = codec !== passedOn;
  const offersSub =
    isEncoded && stream === 'main' && sub?.state === 'live' && sub.codec === passedOn;
  const offersMain = stream === 'sub';
  if (!isEncoded && !offersMain) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-meta text-muted">
      {isEncoded && <p>{t('live.encoded', { codec: codecNames[codec] ?? codec })}</p>}
      {offersSub && (
        <Button look="ghost" size="small" onClick={() => onStream('sub')}>
          {t('live.showSub')}
        </Button>
      )}
      {offersMain && (
        <Button look="ghost" size="small" onClick={() => onStream('main')}>
          {t('live.showMain')}
        </Button>
      )}
    </div>
  );
}
