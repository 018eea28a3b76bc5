/** The database of this installation, for commands that run beside the server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseOptions } from '#db/open.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Config } from './config.ts';

/** Whether the database exists, because opening would create it. A served one always does. */
export const hasDatabase = ({ databaseUrl }: Config, dataFolder: string): boolean =>
  databaseUrl !== null || existsSync(join(dataFolder, 'postgres/data'));

/** Opens the database without taking it from a server, and logs faults only. */
export const borrowed = ({ databaseUrl: url }: Config, dataFolder: string): DatabaseOptions => ({
  url,
  dataFolder,
  clock,
  log: createLog('error'),
  borrow: true,
});
