import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { rowsOf, weekdays } from '../week/week.ts';
import { useWeekdays } from '../week/week-words.ts';
import { usePlanWords } from './plan-words.ts';
import { qualityWords } from './quality-words.ts';

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** For those who may see recordings and may not change what is recorded. */
export function SettingsFacts({ settings }: { settings: RecordingSettings }) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { schedule, quality } = settings;
  const facts: Fact[] = [
    { name: t('recordingSettings.continuous'), value: onOff(t, settings.continuousRecording) },
    { name: t('recordingSettings.motion'), value: onOff(t, settings.motionDetection) },
    {
      name: t('recordingSettings.schedule'),
      value: schedule === null ? t('cameras.off') : <WeekFacts schedule={schedule} />,
    },
    {
      name: t('recordingSettings.quality'),
      value: qualityWords(t, quality),
    },
    { name: t('recordingSettings.recorded'), value: words.recorded(settings.recorded) },
    { name: t('recordingSettings.kept'), value: words.days(settings.retentionDays) },
    { name: t('recordingSettings.path'), value: settings.storagePath },
  ];
  return (
    <dl className="grid gap-3 text-ui">
      {facts.map(({ name, value }) => (
        <div key={name} className="grid grid-cols-1 gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="text-muted">{name}</dt>
          <dd className="figures min-w-0 font-medium break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const onOff = (t: ReturnType<typeof useTranslation>['t'], isOn: boolean): string =>
  isOn ? t('cameras.on') : t('cameras.off');

function WeekFacts({ schedule }: { schedule: NonNullable<RecordingSettings['schedule']> }) {
  const names = useWeekdays();
  const rows = rowsOf(schedule);
  const days = weekdays
    .map((day) => ({ day, times: rows.filter((row) => row.day === day) }))
    .filter(({ times }) => times.length > 0);
  return (
    <>
      <ul>
        {days.map(({ day, times }) => (
          <li key={day}>
            {names.long(day)}:{' '}
            {joined(
              times.map(({ from, until }) => `${from}–${until}`),
              ', ',
            )}
          </li>
        ))}
      </ul>
      <p className="text-meta text-muted">{schedule.timeZone.replaceAll('_', ' ')}</p>
    </>
  );
}
