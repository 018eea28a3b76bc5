/** Starts the privacy module over a world as a new process does: one start for each step plays a crash after each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertErasing, AlertsOfVisits } from '#alerts/alerts.ts';
import { Consents, Privacy } from '#privacy/privacy.ts';
import { quietLog, type World } from './world.ts';

export interface TestPrivacy extends Disposable {
  readonly folder: string;
  /** As another process has it. */
  start(): Privacy;
}

export function aPrivacy(world: World): TestPrivacy {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-privacy-'));
  const { database, activity, accounts, faces, visits, settings, clock } = world;
  return {
    folder,
    start: () =>
      new Privacy({
        db: database.db,
        activity,
        accounts,
        faces,
        visits,
        alerts: { erasing: new AlertErasing(), ofVisits: new AlertsOfVisits(database.db) },
        settings,
        consents: new Consents({ db: database.db, activity, settings, clock }),
        folder,
        clock,
        log: quietLog,
      }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
