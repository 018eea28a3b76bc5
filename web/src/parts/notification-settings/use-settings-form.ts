/** The settings as a form: what differs from what is saved is sent, and what is refused stands at its field. */
import {
  NotificationSettingsChange,
  notificationSettingsRoutes,
  type NotificationSettings,
} from '@nazar/contract/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#api/call.ts';
import { ask } from '#api/query.ts';
import { translate } from '#lib/i18n.ts';
import { useUnsaved } from '#lib/unsaved.ts';
import { showProblem, useContractForm, type ContractForm } from '#parts/use-contract-form.ts';

export const settingsQuery = () => ask('account', notificationSettingsRoutes.read, {});

type Fields = Omit<NotificationSettings, 'email_confirmed' | 'available'>;
export type SettingsForm = ContractForm<NotificationSettingsChange, NotificationSettingsChange>;

const fieldsOf = ({
  email_confirmed: _isConfirmed,
  available: _available,
  ...fields
}: NotificationSettings): Fields => fields;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Both times of the quiet hours go together. */
function changesOf(wanted: NotificationSettingsChange, saved: Fields): NotificationSettingsChange {
  const names = (Object.keys(saved) as (keyof Fields)[]).filter(
    (name) => wanted[name] !== undefined && !isSame(wanted[name], saved[name]),
  );
  const times = names.some((name) => name === 'quiet_from' || name === 'quiet_to')
    ? (['quiet_from', 'quiet_to'] as const)
    : [];
  return Object.fromEntries([...names, ...times].map((name) => [name, wanted[name]]));
}

/** What no schema says: the field that is wrong, and why. */
function faultOf({ cameras, quiet_days: days, quiet_from: from }: NotificationSettingsChange) {
  if (cameras?.length === 0) return { name: 'cameras', key: 'alertRules.noCameraChosen' } as const;
  const isQuiet = typeof from === 'string';
  if (!isQuiet || days === undefined || days.length > 0) return null;
  return { name: 'quiet_days', key: 'notificationSettings.noDay' } as const;
}

/** Push messages are turned on by the card of devices; what is typed here meanwhile stays. */
function useTurnedOnElsewhere(
  form: SettingsForm,
  { push, available }: NotificationSettings,
  setSaved: (change: (before: NotificationSettings) => NotificationSettings) => void,
): void {
  const { setValue } = form;
  const canPush = available.push;
  useEffect(() => {
    setSaved((before) => ({
      ...before,
      push,
      available: { ...before.available, push: canPush },
    }));
    setValue('push', push);
  }, [push, canPush, setSaved, setValue]);
}

export function useSettingsForm(settings: NotificationSettings, onSaved: () => void) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(settings);
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(NotificationSettingsChange, fieldsOf(settings));
  useTurnedOnElsewhere(form, settings, setSaved);
  const changes = (): NotificationSettingsChange => changesOf(form.getValues(), fieldsOf(saved));
  form.watch();
  const isChanged = Object.keys(changes()).length > 0;
  useUnsaved(() => Object.keys(changes()).length > 0);
  const submit = form.handleSubmit(async (wanted) => {
    setRefused(null);
    const fault = faultOf(wanted);
    if (fault !== null) {
      form.setError(fault.name, { type: 'missing', message: translate(fault.key) });
      return;
    }
    const body = changesOf(wanted, fieldsOf(saved));
    if (Object.keys(body).length === 0) return;
    try {
      const now = await call(notificationSettingsRoutes.change, { body });
      setSaved(now);
      form.reset(fieldsOf(now));
      client.setQueryData(settingsQuery().queryKey, now);
      onSaved();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  /** What is typed in other fields stays, and is compared with what was saved before. */
  const confirmed = (now: NotificationSettings): void => {
    const { emailAddress, email_confirmed } = now;
    setSaved((before) => ({ ...before, emailAddress, email_confirmed }));
    client.setQueryData(settingsQuery().queryKey, now);
    form.setFocus('emailAddress');
  };
  return { form, saved, refused, isChanged, submit, confirmed };
}
