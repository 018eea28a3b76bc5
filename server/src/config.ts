/**
 * What the machine decides, from the environment, as one frozen object, or a refusal of one sentence per
 * mistake. What a person decides is in `settings`. The data folder is in `data-folder.ts`.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Refusal } from '#lib/refusal.ts';

export const roles = ['api', 'media', 'vision'] as const;
export type Role = (typeof roles)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const whole = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `${name} must be a whole number`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be ${min} to ${max}`);

const flag = (name: string) =>
  z.enum(['0', '1'], `${name} must be 0 or 1`).transform((value) => value === '1');

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Every variable with its default. */
const Environment = z.object({
  /** Where everything is kept. Null: `data` beside the program. */
  NAZAR_DATA: z
    .string()
    .transform((path) => resolve(path))
    .nullable()
    .default(null),
  NAZAR_HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  NAZAR_PORT: whole('NAZAR_PORT', 0, 65_535).default(8080),
  /** Addresses of the proxies in front of us: only what they say about the caller is believed. */
  NAZAR_TRUST_PROXY: z.string().transform(listOf).default([]),
  /** Names under which browsers reach us through those proxies; others are refused (C-704). */
  NAZAR_HOST_NAMES: z.string().transform(listOf).default([]),
  /** A served PostgreSQL; null: the embedded one. */
  DATABASE_URL: z.string().nullable().default(null),
  /** What this machine does, of several over one database. */
  NAZAR_ROLES: z
    .string()
    .transform(listOf)
    .pipe(
      z
        .array(z.enum(roles, `NAZAR_ROLES is a list of ${roles.join(', ')}`))
        .min(1, 'NAZAR_ROLES names no role'),
    )
    .default([...roles]),
  NAZAR_LOG: z.enum(logLevels, `NAZAR_LOG must be one of ${logLevels.join(', ')}`).default('info'),
  /** Lets cameras be on this machine itself: for tests and for a restreamer beside us. */
  CAMERA_ALLOW_LOOPBACK: flag('CAMERA_ALLOW_LOOPBACK').default(false),
  /** Who may register; null: what the first-run wizard was told. */
  REGISTRATION: z
    .enum(['open', 'approval', 'closed'], 'REGISTRATION must be open, approval or closed')
    .nullable()
    .default(null),
  /** The key that opens everything that is encrypted; null: `master.key` in the data folder. */
  NAZAR_MASTER_KEY_FILE: z
    .string()
    .transform((path) => resolve(path))
    .nullable()
    .default(null),
  /** One core is left to the server, PostgreSQL and the media hosts. */
  NAZAR_VISION_HOSTS: whole('NAZAR_VISION_HOSTS', 1, 64).default(
    Math.max(1, availableParallelism() - 1),
  ),
});

export interface Config {
  readonly dataFolder: string | null;
  readonly host: string;
  readonly port: number;
  readonly trustProxy: readonly string[];
  readonly hostNames: readonly string[];
  readonly databaseUrl: string | null;
  readonly roles: readonly Role[];
  readonly logLevel: (typeof logLevels)[number];
  readonly cameraAllowLoopback: boolean;
  readonly registration: 'open' | 'approval' | 'closed' | null;
  readonly masterKeyFile: string | null;
  readonly visionHosts: number;
}

/** An empty variable counts as absent: that is what `NAME= npm start` means to who types it. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new Refusal(parsed.error.issues.map(({ message }) => `${message}.`).join('\n'));
  }
  const { data } = parsed;
  if (!isLoopback(data.NAZAR_HOST) && data.NAZAR_TRUST_PROXY.length === 0) {
    throw new Refusal(
      `NAZAR_HOST=${data.NAZAR_HOST} would send passwords and pictures over the network unencrypted; put a proxy that does TLS in front and name its address in NAZAR_TRUST_PROXY.`,
    );
  }
  return Object.freeze({
    dataFolder: data.NAZAR_DATA,
    host: data.NAZAR_HOST,
    port: data.NAZAR_PORT,
    trustProxy: Object.freeze(data.NAZAR_TRUST_PROXY),
    hostNames: Object.freeze(data.NAZAR_HOST_NAMES),
    databaseUrl: data.DATABASE_URL,
    roles: Object.freeze(data.NAZAR_ROLES),
    logLevel: data.NAZAR_LOG,
    cameraAllowLoopback: data.CAMERA_ALLOW_LOOPBACK,
    registration: data.REGISTRATION,
    masterKeyFile: data.NAZAR_MASTER_KEY_FILE,
    visionHosts: data.NAZAR_VISION_HOSTS,
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** For the first lines of the log. Of the database's address only the host and the name are said. */
export function redacted(config: Config): Record<string, unknown> {
  const { databaseUrl, ...rest } = config;
  return { ...rest, database: databaseUrl === null ? 'embedded' : withoutUser(databaseUrl) };
}

function withoutUser(address: string): string {
  if (!URL.canParse(address)) return '[unreadable]';
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}

/** Beside the program, wherever it was started from. */
export const defaultDataFolder = join(import.meta.dirname, '..', '..', 'data');
