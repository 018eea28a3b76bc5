/**
 * Finds when something moved in a part of a camera's picture: the region is drawn, the period typed, and each time that
 * is found leads the player there. It stands on the page, so that one goes from one to the next while watching.
 */
import { X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import { MomentField } from '../handover/period-fields.tsx';
import { usePeriod, type PeriodControl } from '../handover/use-period.ts';
import { MotionResults } from './motion-results.tsx';
import { RegionPicture } from './region-picture.tsx';
import { isBroken, middle } from './region.ts';
import { useMotionSearch } from './use-motion-search.ts';

export interface MotionSearchProps {
  camera: NamedCamera;
  /** Where to begin with: the day in sight. */
  fromMs: number;
  untilMs: number;
  /** The moment that is shown: the region is drawn on its picture. Null: on the last one. */
  shownMs: number | null;
  onSeek: (momentMs: number) => void;
  onClose: () => void;
}

const longestDays = 30;
const hoursPerDay = 24;

export function MotionSearch(props: MotionSearchProps) {
  const { camera, fromMs, untilMs, shownMs, onSeek, onClose } = props;
  const { t } = useTranslation();
  const [atMs] = useState(shownMs);
  const [region, setRegion] = useState(middle);
  const [wasSent, setSent] = useState(false);
  const [selection, onSelection] = useState({ fromMs, untilMs });
  const longestHours = longestDays * hoursPerDay;
  const control = usePeriod({ selection, onSelection, longestHours });
  const searching = useMotionSearch(camera.id);
  const isWrong = wasSent && isBroken(region);
  const start = (): void => {
    setSent(true);
    if (control.period !== null && !isBroken(region))
      searching.begin({ period: control.period, region });
  };
  return (
    <Opened onClose={onClose}>
      <Card
        title={t('recordingSearch.motionTitle')}
        aside={
          <IconButton label={t('ui.close')} small onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        }
        className="grid grid-cols-1 gap-4 *:mb-0"
      >
        <form
          noValidate
          className="grid grid-cols-1 gap-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <RegionPicture camera={camera} atMs={atMs} region={region} onRegion={setRegion} />
          <div className="grid content-start gap-4">
            <PeriodFields control={control} wasSent={wasSent} />
            {isWrong && (
              <p role="alert" className="text-meta text-danger-text">
                {t('recordingSearch.broken')}
              </p>
            )}
            <Button type="submit" busy={searching.search?.state === 'running'}>
              {t('recordingSearch.start')}
            </Button>
          </div>
        </form>
        <MotionResults cameraId={camera.id} searching={searching} onSeek={onSeek} />
      </Card>
    </Opened>
  );
}

/** Takes the focus when it opens; Escape closes it. */
function Opened({
  onClose,
  children,
}: Pick<MotionSearchProps, 'onClose'> & { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key works wherever the focus is in it
    <div
      ref={box}
      tabIndex={-1}
      className="rounded-card outline-none"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {children}
    </div>
  );
}

/** By the reader's clock. */
function PeriodFields({ control, wasSent }: { control: PeriodControl; wasSent: boolean }) {
  const { t } = useTranslation();
  const { draft, fault, change } = control;
  const errorOf = (field: 'from' | 'until'): string | undefined => {
    if (fault?.field !== field || (fault.kind === 'missing' && !wasSent)) return undefined;
    return t(`recordingSearch.period.${fault.kind}`, { days: longestDays });
  };
  return (
    <>
      <MomentField
        label={t('handover.from')}
        valueMs={draft.fromMs}
        error={errorOf('from')}
        onMoment={(ms) => change({ fromMs: ms })}
      />
      <MomentField
        label={t('handover.until')}
        valueMs={draft.untilMs}
        error={errorOf('until')}
        onMoment={(ms) => change({ untilMs: ms })}
      />
    </>
  );
}
