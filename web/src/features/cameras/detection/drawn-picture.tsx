/** The stream with the boxes in place of a camera's picture, and who is in it. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { ScanFace } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useSignal } from '#lib/signal.ts';
import { usePeopleWords } from '#parts/player/people-in-view.tsx';
import { Presence, noOne, samePresent } from '#parts/player/presence.ts';
import { whole, type Zoom } from '#parts/player/recorded/zoom.ts';
import type { RunningDetection } from './detection.ts';
import { useDetectionWords } from './detection-words.ts';
import { FramePainter } from './frame-painter.ts';
import { Spinner } from '#ui/spinner.tsx';

function Frames({ camera, running, zoom = whole }: DrawnPictureProps) {
  const { t } = useTranslation();
  const image = useRef<HTMLImageElement>(null);
  const { frame } = running.session;
  const hasPicture = useSignal(frame) !== null;
  useEffect(() => {
    if (image.current === null) return undefined;
    const painter = new FramePainter(image.current);
    const paint = (): void => {
      const newest = frame.get();
      if (newest !== null) painter.show(newest);
    };
    const stop = frame.subscribe(paint);
    paint();
    return () => {
      stop();
      painter[Symbol.dispose]();
    };
  }, [frame]);
  return (
    <img
      ref={image}
      alt={t('detecting.picture', { name: camera.name })}
      className={cx(
        'absolute inset-0 size-full origin-top-left object-contain',
        !hasPicture && 'invisible',
      )}
      style={{ transform: `translate(${zoom.x * 100}%, ${zoom.y * 100}%) scale(${zoom.scale})` }}
    />
  );
}

/** Why there is no new picture; null while there is. */
function useInterruption({ session }: RunningDetection): string | null {
  const { t } = useTranslation();
  const words = useDetectionWords();
  const state = useSignal(session.state);
  if (state.kind === 'starting') return t('detecting.starting');
  return state.kind === 'reconnecting' ? words.interrupted(state) : null;
}

/** Updated each second; changed only when a person came or went. */
function usePresent({ poll }: RunningDetection) {
  const [presence] = useState(() => new Presence());
  const [present, setPresent] = useState(noOne);
  useEffect(
    () =>
      poll.faces.subscribe(() => {
        const next = presence.see(poll.faces.get(), performance.now());
        setPresent((last) => (samePresent(last, next) ? last : next));
      }),
    [poll, presence],
  );
  return present;
}

const chip =
  'flex max-w-full items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white [&_svg]:mt-px [&_svg]:size-3.5 [&_svg]:shrink-0';

export interface DrawnPictureProps {
  camera: Camera;
  running: RunningDetection;
  /** Which part of it is seen; all of it when left out. */
  zoom?: Zoom | undefined;
  className?: string | undefined;
}

export function DrawnPicture({ camera, running, zoom, className }: DrawnPictureProps) {
  const interruption = useInterruption(running);
  const people = usePeopleWords(usePresent(running));
  return (
    <div className={cx('relative overflow-hidden bg-[#0b0e14]', className)}>
      <Frames camera={camera} running={running} zoom={zoom} />
      <div className="absolute inset-x-2 bottom-2 grid justify-items-start gap-1">
        {interruption !== null && (
          <output className={chip}>
            <Spinner />
            <span>{interruption}</span>
          </output>
        )}
        {interruption === null && (
          <output className={chip}>
            <ScanFace aria-hidden />
            <span>{people}</span>
          </output>
        )}
      </div>
    </div>
  );
}
