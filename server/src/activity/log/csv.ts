/** A line of the activity log as a spreadsheet reads it. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { csvRow, type Cell } from '#lib/csv.ts';

/** In the order of the file, which programs may read by place: a new column comes last. */
const columns: readonly [name: string, valueOf: (entry: ActivityEntry) => Cell][] = [
  ['id', ({ id }) => id],
  ['timestamp', ({ timestamp }) => timestamp],
  ['action', ({ action }) => action],
  ['event', ({ event }) => event],
  ['description', ({ description }) => description],
  ['user_name', (entry) => entry.user_name],
  ['user_email', (entry) => entry.user_email],
  ['ip_address', (entry) => entry.ip_address],
  ['content_type', (entry) => entry.content_type_name],
  ['object_id', (entry) => entry.object_id],
  ['object_name', (entry) => entry.object_name],
  ['source', ({ source }) => source],
  ['is_mock', (entry) => entry.is_mock],
  ['additional_data', (entry) => JSON.stringify(entry.additional_data)],
];

export const csvColumns = columns.map(([name]) => name);

export const csvLine = (entry: ActivityEntry): string =>
  csvRow(columns.map(([, valueOf]) => valueOf(entry)));
