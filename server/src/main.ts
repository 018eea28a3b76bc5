/**
 * The server process: reads the configuration, opens the data folder and the database, builds the server,
 * listens, and says where. `launch.ts` starts it and starts it again after a crash.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#db/open.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { Refusal, refusalExitCode } from '#lib/refusal.ts';
import { openMasterKey } from '#lib/secrets.ts';
import { openDataFolder, readConfig, type Config } from './config.ts';
import { createServer, type Server } from './server.ts';

const root = join(import.meta.dirname, '../..');

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
