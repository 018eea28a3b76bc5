/** What is snoozed now, above the list: the reader knows why no notification came, and ends it by one press. */
import type { Snooze } from '@nazar/contract/snoozes.ts';
import { useQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { dayOf } from '#lib/local-day.ts';
import { joined } from '#lib/joined.ts';
import { useNow } from '#lib/use-now.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { snoozesQuery, useEndSnooze } from './snoozes.ts';

const onAnotherDay = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;

export function Snoozed() {
  const { t } = useTranslation();
  const answered = useQuery(snoozesQuery()).data?.results ?? [];
  const nowMs = useNow(answered.length > 0, 5_000);
  const snoozes = answered.filter(({ until }) => Date.parse(until) > nowMs);
  const end = useEndSnooze();
  if (snoozes.length === 0) return null;
  return (
    <div className="grid gap-2">
      {end.isError && <Banner tone="error">{problemSentence(end.error)}</Banner>}
      <ul aria-label={t('alerts.snoozed')} className="flex flex-wrap gap-2">
        {snoozes.map((snooze) => (
          <SnoozedOne
            key={snooze.id}
            snooze={snooze}
            nowMs={nowMs}
            isBusy={end.isPending && end.variables === snooze.id}
            onEnd={() => end.mutate(snooze.id)}
          />
        ))}
      </ul>
    </div>
  );
}

interface SnoozedOneProps {
  snooze: Snooze;
  nowMs: number;
  isBusy: boolean;
  onEnd: () => void;
}

function SnoozedOne({ snooze, nowMs, isBusy, onEnd }: SnoozedOneProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { camera_name, rule_kind, until, for_everyone, may_end } = snooze;
  const name = camera_name ?? (rule_kind === null ? '' : t(`alertRules.kinds.${rule_kind}`));
  const isToday = dayOf(Date.parse(until)) === dayOf(nowMs);
  const time = formatTime(until, isToday ? { timeStyle: 'short' } : onAnotherDay);
  const words = joined([
    t('alerts.snoozedUntil', { name, time }),
    for_everyone ? t('alerts.snoozedForEveryone') : '',
  ]);
  return (
    <li className="flex min-h-9 items-center gap-2 rounded-control bg-surface-2 px-3 text-ui">
      <BellOff aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="[overflow-wrap:anywhere]">{words}</span>
      {may_end && (
        <Button
          look="link"
          busy={isBusy}
          aria-label={t('alerts.endSnoozeOf', { name })}
          onClick={onEnd}
        >
          {t('alerts.endSnooze')}
        </Button>
      )}
    </li>
  );
}
