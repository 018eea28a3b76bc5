/** What the fields of an entry are called, and values that come from a list: in the words of the pages they are set on. */
import { activityFields, activityValues } from '@nazar/contract/activity-fields.ts';
import { recordingQualities } from '@nazar/contract/recording-qualities.ts';
import type { ParseKeys } from 'i18next';
import { formatList, formatNumber } from '#lib/format.ts';
import type { Translate } from '#lib/i18n.ts';
import { qualityWords } from '#parts/recording-settings/quality-words.ts';

type Key = ParseKeys;

const labels: ReadonlyMap<string, Key> = new Map<string, Key>(Object.entries(activityFields));
const values: Readonly<Record<string, Readonly<Record<string, Key>>>> = activityValues;

/** A newer server may know more of them: those stand under their own names. */
export function fieldLabel(t: Translate, field: string): string {
  const key = labels.get(field);
  return key === undefined ? field : (t as (key: Key) => string)(key);
}

/** A value as people read it; a dash where there is none. */
export function fieldValue(t: Translate, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? t('activityLog.yes') : t('activityLog.no');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') {
    const quality = recordingQualities.find((one) => field === 'quality' && one === value);
    if (quality !== undefined) return qualityWords(t, quality);
    const named = values[field];
    const key = named !== undefined && Object.hasOwn(named, value) ? named[value] : undefined;
    return key === undefined ? value : (t as (key: Key) => string)(key);
  }
  // A list of words or figures is read as one; what is built deeper stands as it was recorded.
  if (!Array.isArray(value) || value.some((one) => typeof one === 'object'))
    return JSON.stringify(value);
  if (value.length === 0) return '–';
  return formatList(value.map((one: unknown) => fieldValue(t, field, one)));
}
