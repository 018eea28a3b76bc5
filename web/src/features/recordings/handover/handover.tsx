/**
 * Handing recordings over, as it stands on the page of a camera: the selected period with what can be done with it,
 * bookmarks, and exports. The dialogs come with the first one that is opened.
 */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useState } from 'react';
import { useSeeing } from '#api/see-as.ts';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { Card } from '#ui/card.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { Bookmarks } from './bookmarks.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import type { ExportDialogProps } from './export-dialog.tsx';
import { Exports } from './exports.tsx';
import type { HoldDialogProps } from './hold-dialog.tsx';
import type { Period } from './period.ts';
import { SelectedPeriod } from './selected-period.tsx';

const { Component: ExportDialog } = onDemand<ExportDialogProps>(
  async () => (await import('./export-dialog.tsx')).ExportDialog,
);
const { Component: HoldDialog } = onDemand<HoldDialogProps>(
  async () => (await import('./hold-dialog.tsx')).HoldDialog,
);

export interface HandoverProps {
  /** The one whose page it is. */
  camera: NamedCamera;
  /** All cameras that are shown in step, `camera` among them; absent: `camera` alone. */
  cameras?: readonly NamedCamera[];
  playback: Pick<RecordedPlayback, 'momentMs' | 'shownMs'>;
  /** The recording that is selected, if any: what is handed over when nothing else is selected. */
  recording: Times | null;
  /** Recordings of the list beside it: the one that plays is handed over where none is selected. */
  listed: readonly Times[];
  /** What the handles of the timeline hold; null: there are none. */
  selection: Period | null;
  onSelection: (selection: Period | null) => void;
  onSeek: (momentMs: number) => void;
}

type Times = Pick<Recording, 'startTime' | 'endTime'>;

interface Opened {
  readonly dialog: 'export' | 'hold';
  /** What the page showed when the user opened it; a recording that goes on moves nothing that is typed. */
  readonly shown: Period | null;
}

/** Where no recording is known that covers the moment: so much before it and after it. */
const aroundMs = 30_000;

export function Handover(props: HandoverProps) {
  const { camera, cameras = [camera], playback, selection, onSelection } = props;
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [tab, setTab] = useState<'bookmarks' | 'exports'>('bookmarks');
  const close = (): void => setOpened(null);
  // A reader who sees as another user changes nothing, and exports are one's own.
  const isOneself = useSeeing() === null;
  const bookmarks = <Bookmarks camera={camera} playback={playback} onSeek={props.onSeek} />;
  return (
    <Card title={t('handover.title')}>
      {isOneself ? (
        <>
          <SelectedPeriod
            playback={playback}
            selection={selection}
            onSelection={onSelection}
            onOpen={(dialog) => setOpened({ dialog, shown: shownPeriod(props) })}
          />
          <Tabs
            label={t('handover.title')}
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'bookmarks', label: t('handover.bookmarks'), content: bookmarks },
              {
                value: 'exports',
                label: t('handover.exports'),
                content: <Exports camera={camera} />,
              },
            ]}
          />
        </>
      ) : (
        bookmarks
      )}
      {opened?.dialog === 'export' && (
        <ExportDialog
          cameras={cameras}
          selection={selection ?? opened.shown}
          onSelection={onSelection}
          onClose={close}
        />
      )}
      {opened?.dialog === 'hold' && (
        <HoldDialog camera={camera} range={selection ?? opened.shown} onClose={close} />
      )}
    </Card>
  );
}

/** The recording that is selected, else the one that plays, else the surroundings of what is shown. */
function shownPeriod({ recording, listed, playback }: HandoverProps): Period | null {
  if (recording !== null) return periodOf(recording);
  const atMs = playback.momentMs.get();
  if (atMs === null) return null;
  const played = listed.map(periodOf).find((one) => one.fromMs <= atMs && atMs < one.untilMs);
  return played ?? { fromMs: atMs - aroundMs, untilMs: atMs + aroundMs };
}

const periodOf = ({ startTime, endTime }: Times): Period => ({
  fromMs: Date.parse(startTime),
  untilMs: endTime === null ? Date.now() : Date.parse(endTime),
});
