/** What the support bundle contains beside the system log, without names, addresses and paths (system/support). */
import {
  arch,
  availableParallelism,
  freemem,
  hostname,
  platform,
  release,
  totalmem,
} from 'node:os';
import { allAddresses, type SystemSettings } from '@nazar/contract/settings.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Analytics } from '#analytics/analytics.ts';
import type { Scope } from '#http/scope.ts';
import type { Settings } from '#settings/settings.ts';
import type { Models } from '#system/models.ts';
import type { SystemLog } from '#system/log/system-log.ts';
import type { System } from '#system/system.ts';
import type { ServerOptions } from './server-options.ts';

export interface SupportModules {
  readonly analytics: Pick<Analytics, 'summary'>;
  readonly models: Pick<Models, 'read'>;
  readonly settings: Pick<Settings, 'readable'>;
  readonly system: Pick<System, 'health'>;
  readonly systemLog: Pick<SystemLog, 'stats' | 'levels'>;
}

export function supportParts(options: ServerOptions, modules: SupportModules) {
  const { analytics, models, settings, system, systemLog } = modules;
  return {
    about: () => about(options),
    configuration: () => options.configuration ?? null,
    settings: async (scope: Scope) => withoutAddresses(await settings.readable(scope)),
    health: (scope: Scope) => system.health(scope),
    models: async () => {
      const { serving, unavailable, change } = await models.read();
      return { serving, unavailable: unavailable.length, is_changing: change !== null };
    },
    statistics: async (scope: Scope) => ({
      summary: await analytics.summary(scope, 'UTC'),
      system_log: await systemLog.stats(scope, {}),
    }),
    levels: () => systemLog.levels.list(),
  };
}

/** Words of this installation by which a line of the log could say where something is. */
export async function placesOf(
  { publicUrl = null, hosts }: ServerOptions,
  cameras: Pick<Cameras, 'reaching'>,
): Promise<string[]> {
  const own = [hostname(), ...hosts, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
  const places = [...own, ...(await cameras.reaching.places())];
  return places.filter((word) => !everywhere.has(word.toLowerCase()));
}

/** They name no place. */
const everywhere: ReadonlySet<string> = new Set(['localhost', 'admin', 'root', 'user', 'camera']);

const MiB = 1024 ** 2;

function about({ version, clock }: ServerOptions): object {
  return {
    version,
    made_at: new Date(clock.now()).toISOString(),
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    cores: availableParallelism(),
    memory_mib: Math.round(totalmem() / MiB),
    free_memory_mib: Math.round(freemem() / MiB),
    server_memory_mib: Math.round(process.memoryUsage.rss() / MiB),
    server_uptime_s: Math.round(process.uptime()),
  };
}

/** Keeps of the addresses that may sign in only whether they are restricted. */
function withoutAddresses({ security, ...rest }: SystemSettings): object {
  if (!security) return rest;
  const { allowedIPs, ...others } = security;
  return { ...rest, security: { ...others, restrictsAddresses: allowedIPs !== allAddresses } };
}
