/** A line of the activity log as a spreadsheet reads it. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { csvRow } from '#lib/csv.ts';

export const csvColumns = [
  'id',
  'timestamp',
  'action',
  'event',
  'description',
  'user_name',
  'user_email',
  'ip_address',
  'content_type',
  'object_id',
  'object_name',
  'source',
  'is_mock',
  'additional_data',
] as const;

export function csvLine(entry: ActivityEntry): string {
  return csvRow([
    entry.id,
    entry.timestamp,
    entry.action,
    entry.event,
    entry.description,
    entry.user_name,
    entry.user_email,
    entry.ip_address,
    entry.content_type_name,
    entry.object_id,
    entry.object_name,
    entry.source,
    entry.is_mock,
    JSON.stringify(entry.additional_data),
  ]);
}
