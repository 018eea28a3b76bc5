/**
 * How the picture comes, over it on request: transport, codec, size, rates, delay and drops; what the camera costs, for
 * who may know; and the choice of transport.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import type { LivePlayer } from '#parts/player/live-player.ts';
import { Select } from '#ui/select.tsx';
import { CameraCostFigures } from './camera-cost.tsx';
import { Figures } from './figures.tsx';
import { mayKnowCost } from './use-camera-cost.ts';
import { useStatistics, type Statistics } from './use-statistics.ts';

export const transportChoices = ['auto', 'mse', 'jpeg'] as const;
export type TransportChoice = (typeof transportChoices)[number];

export interface LiveStatisticsProps {
  camera: Camera;
  player: LivePlayer | null;
  choice: TransportChoice;
  onChoice: (choice: TransportChoice) => void;
}

/** `video/mp4; codecs="avc1.4d401f"` reads `avc1.4d401f`, `video/H264` reads `H264`. */
const codecOf = (mime: string): string =>
  /codecs="([^"]+)"/.exec(mime)?.[1] ?? mime.replace(/^video\//, '');

function useFigures(statistics: Statistics | null): [label: string, value: string][] {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const textOf = (value: number | null | undefined, text: (value: number) => string): string =>
    value === null || value === undefined ? t('liveView.unknown') : text(value);
  const { sample, rates } = statistics ?? {};
  const megabits = (bits: number): string =>
    formatNumber(bits / 1e6, {
      style: 'unit',
      unit: 'megabit-per-second',
      maximumFractionDigits: 2,
    });
  const milliseconds = (seconds: number): string =>
    formatNumber(Math.round(seconds * 1000), { style: 'unit', unit: 'millisecond' });
  const dropped = (count: number): string =>
    t('liveView.droppedOf', {
      dropped: formatNumber(count),
      pictures: formatNumber(sample?.pictures ?? 0),
    });
  const isKnown = sample !== undefined && sample.width > 0;
  return [
    [
      t('liveView.transport'),
      sample === undefined ? t('liveView.unknown') : t(`liveView.transports.${sample.transport}`),
    ],
    [
      t('liveView.figure.codec'),
      sample?.codec == null ? t('liveView.unknown') : codecOf(sample.codec),
    ],
    [
      t('liveView.figure.size'),
      isKnown ? `${sample.width}×${sample.height}` : t('liveView.unknown'),
    ],
    [
      t('liveView.figure.pictures'),
      textOf(rates?.picturesPerS, (fps) => formatNumber(fps, { maximumFractionDigits: 1 })),
    ],
    [t('liveView.figure.bits'), textOf(rates?.bitsPerS, megabits)],
    [t('liveView.figure.delay'), textOf(sample?.delayS, milliseconds)],
    [t('liveView.figure.dropped'), textOf(sample?.dropped, dropped)],
  ];
}

export function LiveStatistics({ camera, player, choice, onChoice }: LiveStatisticsProps) {
  const { t } = useTranslation();
  const figures = useFigures(useStatistics(player));
  return (
    <section
      aria-label={t('liveView.statistics')}
      className="absolute top-2 left-2 grid max-h-[calc(100%-1rem)] max-w-[calc(100%-1rem)] gap-2 overflow-y-auto rounded-control bg-black/80 p-3 text-meta text-white"
    >
      <Figures figures={figures} />
      {mayKnowCost(camera) && <CameraCostFigures camera={camera} />}
      <Select
        aria-label={t('liveView.transport')}
        value={choice}
        onChange={({ target }) => onChoice(target.value as TransportChoice)}
        options={transportChoices.map((value) => ({
          value,
          label: t(`liveView.choice.${value}`),
        }))}
      />
    </section>
  );
}
