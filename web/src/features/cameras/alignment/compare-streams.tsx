/**
 * Both pictures of a camera side by side, so that a person sees whether the masks of one are where they must be on the
 * other, and corrects the frame where they are not.
 */
import type { CameraAlignment } from '@nazar/contract/alignment.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { useState, type ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SliderField } from '#ui/slider-field.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { Drawn } from '../zones/drawing.ts';
import { AlignmentWords } from './alignment-words.tsx';
import { FrameFields } from './frame-fields.tsx';
import { FramedPicture } from './framed-picture.tsx';
import { isSamePart, suggestions, whole, type Part, type Size } from './part.ts';
import { PlacedPicture } from './placed-picture.tsx';
import { useConfirm, useMeasureAgain } from './queries.ts';
import { useStreamPicture, type StreamPicture } from './use-stream-picture.ts';

export interface CompareStreamsProps {
  camera: Camera;
  zones: readonly Drawn[];
  alignment: CameraAlignment;
  onClose: () => void;
}

export function CompareStreams(props: CompareStreamsProps) {
  const { camera, alignment, onClose } = props;
  const { t } = useTranslation();
  const { main, sub, streams } = alignment;
  return (
    <Dialog
      open
      title={t('alignment.compareTitle', { name: camera.name })}
      description={t('alignment.compareText')}
      width="wide"
      onClose={onClose}
    >
      {main === null || sub === null || streams === null ? (
        <p className="py-8 text-center text-muted">{t('alignment.notSent')}</p>
      ) : (
        <Comparison {...props} main={main} sub={sub} streams={streams} />
      )}
    </Dialog>
  );
}

interface ComparisonProps extends CompareStreamsProps {
  main: Size;
  sub: Size;
  streams: string;
}

function Comparison(props: ComparisonProps) {
  const { camera, zones, alignment, onClose, main, sub, streams } = props;
  const { t } = useTranslation();
  const [takenAtMs, setTakenAtMs] = useState(() => Date.now());
  const mainPicture = useStreamPicture(camera.id, 'main', takenAtMs);
  const subPicture = useStreamPicture(camera.id, 'sub', takenAtMs);
  const [drawn, setDrawn] = useState<Part | null>(null);
  const [opacity, setOpacity] = useState(0);
  const confirm = useConfirm(camera.id);
  const measure = useMeasureAgain(camera.id);
  const error = confirm.error ?? measure.error;
  // Until the frame is moved by hand it stands where the streams were measured, also if that happens just now.
  const part = drawn ?? alignment.part ?? whole;
  const areShown = mainPicture.kind === 'shown' && subPicture.kind === 'shown';
  return (
    <div className="grid gap-4">
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      <AlignmentWords alignment={alignment} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <Titled title={t('alignment.streams.main')}>
          {mainPicture.kind === 'failed' ? (
            <NoPicture size={main}>{mainPicture.sentence}</NoPicture>
          ) : (
            <FramedPicture size={main} zones={zones} part={part} onChange={setDrawn}>
              <Picture of={mainPicture} alt={t('alignment.pictures.main', { name: camera.name })} />
            </FramedPicture>
          )}
        </Titled>
        <Titled title={t('alignment.streams.sub')}>
          {subPicture.kind === 'failed' ? (
            <NoPicture size={sub}>{subPicture.sentence}</NoPicture>
          ) : (
            <PlacedPicture
              size={sub}
              zones={zones}
              part={part}
              over={mainPicture.kind === 'shown' ? { url: mainPicture.url, opacity } : null}
            >
              <Picture of={subPicture} alt={t('alignment.pictures.sub', { name: camera.name })} />
            </PlacedPicture>
          )}
        </Titled>
      </div>
      <PictureTools {...{ takenAtMs, setTakenAtMs, opacity, setOpacity }} />
      <FrameTools {...{ main, sub, part, alignment }} onChange={setDrawn} />
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        {alignment.state === 'known' && (
          <Button
            look="secondary"
            busy={measure.isPending}
            onClick={() => measure.mutate(undefined, { onSuccess: () => setDrawn(null) })}
          >
            {t('alignment.again')}
          </Button>
        )}
        <Button
          disabled={!areShown}
          busy={confirm.isPending}
          onClick={() => confirm.mutate({ part, streams }, { onSuccess: onClose })}
        >
          {t('alignment.confirm')}
        </Button>
      </Actions>
    </div>
  );
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className="grid content-start gap-1.5">
      <figcaption className="text-ui font-medium">{title}</figcaption>
      {children}
    </figure>
  );
}

/** Fills what it stands in: how the two pictures lie to each other is seen only if neither is cut. */
function Picture({ of, alt }: { of: Exclude<StreamPicture, { kind: 'failed' }>; alt: string }) {
  if (of.kind === 'loading') return <Skeleton className="size-full rounded-none" />;
  return <img src={of.url} alt={alt} className="size-full object-fill" decoding="async" />;
}

/** Why there is none, in its place: lines of a frame on it would strike the sentence through. */
function NoPicture({ size, children }: { size: Size; children: string }) {
  return (
    <p
      role="alert"
      className="grid place-items-center rounded-control bg-surface-3 p-4 text-center text-muted"
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
    >
      {children}
    </p>
  );
}

interface PictureToolsProps {
  takenAtMs: number;
  setTakenAtMs: (atMs: number) => void;
  opacity: number;
  setOpacity: (opacity: number) => void;
}

/** When the pictures were taken, and the main one laid over the other. */
function PictureTools({ takenAtMs, setTakenAtMs, opacity, setOpacity }: PictureToolsProps) {
  const { t } = useTranslation();
  const { formatTime, formatPercent } = useFormat();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-end gap-4 md:grid-cols-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-meta text-muted">
        <span>
          {t('alignment.loaded', { time: formatTime(takenAtMs, { timeStyle: 'medium' }) })}
        </span>
        <Button look="secondary" size="small" onClick={() => setTakenAtMs(Date.now())}>
          {t('alignment.refresh')}
        </Button>
      </div>
      <SliderField
        label={t('alignment.over')}
        min={0}
        max={100}
        step={5}
        value={opacity * 100}
        shown={formatPercent(opacity)}
        onChange={({ target }) => setOpacity(target.valueAsNumber / 100)}
      />
    </div>
  );
}

interface FrameToolsProps {
  main: Size;
  sub: Size;
  part: Part;
  alignment: CameraAlignment;
  /** Null: back to what is known. */
  onChange: (part: Part | null) => void;
}

/** The frame in figures, and where such streams usually have it. */
function FrameTools({ main, sub, part, alignment, onChange }: FrameToolsProps) {
  const { t } = useTranslation();
  const isMoved = !isSamePart(part, alignment.part ?? whole);
  return (
    <div className="grid gap-3">
      <p className="text-meta text-muted">{t('alignment.keys')}</p>
      <div className="flex flex-wrap gap-2">
        {suggestions(main, sub).map(({ showing, part: suggested }) => (
          <Button
            key={showing}
            look="secondary"
            size="small"
            aria-pressed={isSamePart(part, suggested)}
            onClick={() => onChange(suggested)}
          >
            {t(`alignment.suggestions.${showing}`)}
          </Button>
        ))}
        {isMoved && (
          <Button look="ghost" size="small" onClick={() => onChange(null)}>
            {t('alignment.undo')}
          </Button>
        )}
      </div>
      <FrameFields part={part} onChange={onChange} />
      {alignment.state === 'known' && (
        <p className="text-meta text-muted">{t('alignment.againText')}</p>
      )}
    </div>
  );
}
