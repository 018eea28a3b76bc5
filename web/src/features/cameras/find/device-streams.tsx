import type { DeviceDescription, DeviceStream } from '@nazar/contract/devices.ts';
import { useTranslation } from '#lib/i18n.ts';
import { formatNumber } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { nearestStream } from './nearest-stream.ts';

export interface DeviceStreamsProps {
  description: DeviceDescription;
  /** What the form asks for, `1280x720`. */
  resolution: string;
  onMain: (stream: DeviceStream) => void;
  onSub: (stream: DeviceStream) => void;
}

/** The streams of one device, each to be taken as the camera's main one or as its sub-stream. */
export function DeviceStreams({ description, resolution, onMain, onSub }: DeviceStreamsProps) {
  const { t } = useTranslation();
  const { outcome, streams, manufacturer, model, moves } = description;
  if (outcome !== 'found') return <Banner tone="error">{t(`find.outcomes.${outcome}`)}</Banner>;
  if (streams.length === 0) return <Banner tone="info">{t('find.noStreams')}</Banner>;
  const nearest = nearestStream(streams, resolution);
  const what = joined([manufacturer, model], ' ');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-meta text-muted">{joined([what, moves && t('find.moves')])}</p>
      <ul aria-label={t('find.streams')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {streams.map((stream) => (
          <li key={stream.url} className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 flex-[1_1_12rem]">
              <p className="truncate">{stream.name}</p>
              <StreamFacts stream={stream} isNearest={stream === nearest} />
            </div>
            <Button
              look={stream === nearest ? 'primary' : 'secondary'}
              size="small"
              type="button"
              onClick={() => onMain(stream)}
            >
              {t('find.useMain')}
            </Button>
            <Button look="ghost" size="small" type="button" onClick={() => onSub(stream)}>
              {t('find.useSub')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StreamFactsProps {
  stream: DeviceStream;
  isNearest: boolean;
}

function StreamFacts({ stream: { codec, width, height, fps }, isNearest }: StreamFactsProps) {
  const { t } = useTranslation();
  const size = width === null || height === null ? null : `${width}×${height}`;
  const rate = fps === null ? null : t('cameras.testRate', { fps: formatNumber(fps) });
  return (
    <p className="truncate text-meta text-muted">
      {joined([codec, size, rate, isNearest && t('find.nearest')])}
    </p>
  );
}
