/** The database of this installation as commands have it that run beside the server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseOptions } from '#db/open.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Config } from './config.ts';

/** Whether there is one: reaching for it would make it. A served one is there, whoever made it. */
export const hasDatabase = ({ databaseUrl }: Config, dataFolder: string): boolean =>
  databaseUrl !== null || existsSync(join(dataFolder, 'postgres/data'));

/** To open or reach it without taking it from a server, and saying nothing but what goes wrong. */
export const borrowed = ({ databaseUrl: url }: Config, dataFolder: string): DatabaseOptions => ({
  url,
  dataFolder,
  clock,
  log: createLog('error'),
  borrow: true,
});
