/** Takes, resolves and dismisses alerts, and keeps what was refused until the reader has read it. */
import type { Alert, AlertStatusFields } from '@nazar/contract/alerts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  alertRefusals,
  changeAlert,
  forgetChange,
  readChanged,
  type Refusal,
} from '#api/offline-alerts.ts';
import { problemSentence } from '#api/problem.ts';
import { refresh } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import type { ChangeStatus } from './shown-alert.ts';

export interface Refused {
  readonly key: string;
  readonly sentence: string;
}

/** Who was first, where that is why. */
function reasonOf(t: Translate, { now, sentence }: Omit<Refusal, 'alert'>): string {
  if (now?.status === 'in_progress' && now.assigned_to_name !== null) {
    return t('alerts.steps.taken', { by: now.assigned_to_name });
  }
  if (now === null || now.resolved_by_name === null) return sentence;
  const by = { by: now.resolved_by_name };
  return now.status === 'dismissed'
    ? t('alerts.steps.dismissedBy', by)
    : t('alerts.steps.resolvedBy', by);
}

export function useChangeStatus() {
  const { t } = useTranslation();
  const me = useUser();
  const client = useQueryClient();
  const [here, setHere] = useState<readonly Refused[]>([]);
  const later = useSignal(alertRefusals);

  const changeOne = async (alert: Alert, fields: AlertStatusFields): Promise<void> => {
    try {
      await changeAlert(me.id, alert.id, fields);
    } catch (error) {
      const now = await readChanged(alert.id, error);
      const message = reasonOf(t, { now, sentence: problemSentence(error) });
      const sentence = t('alerts.refused', { title: alert.title, message });
      setHere((before) => [...before, { key: `${alert.id} ${performance.now()}`, sentence }]);
    }
  };
  const change: ChangeStatus = async (alerts, fields) => {
    // oxlint-disable-next-line no-await-in-loop -- a server need not answer them all at once
    for (const alert of alerts) await changeOne(alert, fields);
    await refresh(client, 'alerts');
    for (const { id } of alerts) forgetChange(id);
  };
  const titled = (rows: readonly Alert[]): Refused[] =>
    later.map(({ alert: id, ...refusal }) => {
      const known = rows.find((row) => row.id === id) ?? refusal.now;
      const title = known?.title ?? t('alerts.earlier');
      return { key: id, sentence: t('alerts.refused', { title, message: reasonOf(t, refusal) }) };
    });
  return {
    change,
    /** With those that waited for the server, named after the rows that are shown. */
    refused: (rows: readonly Alert[]) => [...titled(rows), ...here],
    dismiss: (key: string) => {
      setHere((before) => before.filter((one) => one.key !== key));
      alertRefusals.set(alertRefusals.get().filter(({ alert }) => alert !== key));
    },
  };
}
