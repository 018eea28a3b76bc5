/**
 * What the machine decides, from the environment, as one frozen object, or a refusal of one sentence per
 * mistake. What a person decides is in `settings`. The data folder is in `data-folder.ts`.
 */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { ProviderOptions } from '#accounts/accounts.ts';
import { Refusal } from '#lib/refusal.ts';
import type { PeerPorts } from '#media/protocol/messages.ts';
import { readSmtpUrl } from '#mail/mail.ts';
import type { MailRoute } from '#mail/mail.ts';
import { providerOf, providerVariables } from './provider-config.ts';

export const roles = ['api', 'media', 'vision'] as const;
export type Role = (typeof roles)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const whole = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `${name} must be a whole number`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be ${min} to ${max}`);

const networks = (name: string) =>
  z
    .string()
    .transform(listOf)
    .pipe(
      z.array(
        z.string().refine(isNetwork, {
          error: `${name} is a list of networks like 100.64.0.0/10 or 2001:db8:1::/48`,
        }),
      ),
    )
    .default([]);

const flag = (name: string) =>
  z.enum(['0', '1'], `${name} must be 0 or 1`).transform((value) => value === '1');

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const pathOf = z
  .string()
  .transform((path) => resolve(path))
  .nullable()
  .default(null);

/** Every variable with its default. */
const Environment = z.object({
  /** Where everything is kept. Null: `data` beside the program. */
  NAZAR_DATA: pathOf,
  NAZAR_HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  NAZAR_PORT: whole('NAZAR_PORT', 0, 65_535).default(8080),
  /** Addresses of the proxies in front of us: only their word about the caller is trusted. */
  NAZAR_TRUST_PROXY: z.string().transform(listOf).default([]),
  /** Names under which browsers reach us through those proxies; others are refused. */
  NAZAR_HOST_NAMES: z.string().transform(listOf).default([]),
  /** `self-signed`: TLS with a certificate of our own making. */
  NAZAR_TLS: z.enum(['self-signed'], 'NAZAR_TLS must be self-signed').nullable().default(null),
  /** Files in PEM: TLS with a certificate of the administrator's. */
  NAZAR_TLS_CERT: pathOf,
  NAZAR_TLS_KEY: pathOf,
  /** Requests a minute of one account; an address has twice as many, loopback ten times. */
  NAZAR_REQUEST_LIMIT: whole('NAZAR_REQUEST_LIMIT', 60, 1_000_000).default(3_000),
  /** A served PostgreSQL; null: the embedded one. */
  DATABASE_URL: z.string().nullable().default(null),
  /** What this machine does, of several over one database: all of it, until several are built. */
  NAZAR_ROLES: z
    .string()
    .transform(listOf)
    .pipe(
      z
        .array(z.enum(roles, `NAZAR_ROLES is a list of ${roles.join(', ')}`))
        .min(1, 'NAZAR_ROLES names no role')
        .refine(
          (named) => roles.every((role) => named.includes(role)),
          `NAZAR_ROLES must name ${roles.join(', ')}, or be left out: this version can't share the work among machines`,
        ),
    )
    .default([...roles]),
  NAZAR_LOG: z.enum(logLevels, `NAZAR_LOG must be one of ${logLevels.join(', ')}`).default('info'),
  /** Folders for recordings, the usual one first. None: `recordings` in the data folder. */
  NAZAR_RECORDINGS: z
    .string()
    .transform((text) => listOf(text).map((path) => resolve(path)))
    .default([]),
  /** UDP ports of low-latency views, one for each. */
  NAZAR_WEBRTC_PORTS: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/, 'NAZAR_WEBRTC_PORTS must be like 49200-49455')
    .transform((text) => text.split('-').map(Number))
    .refine(
      ([first = 0, last = 0]) => first >= 1024 && first <= last && last <= 65_535,
      'NAZAR_WEBRTC_PORTS must be two ports from 1024 to 65535, the lower one first',
    )
    .default([49_200, 49_455]),
  /** Lets cameras be on this machine itself: for tests and for a restreamer beside us. */
  CAMERA_ALLOW_LOOPBACK: flag('CAMERA_ALLOW_LOOPBACK').default(false),
  /** Networks that cameras may be in beside the private ones: of a VPN, routed, or public. */
  NAZAR_CAMERA_NETWORKS: networks('NAZAR_CAMERA_NETWORKS'),
  /** Networks that push services of browsers may be in beside public ones. */
  NAZAR_PUSH_NETWORKS: networks('NAZAR_PUSH_NETWORKS'),
  /** How long the activity log is kept; the database itself refuses less. */
  NAZAR_AUDIT_DAYS: whole('NAZAR_AUDIT_DAYS', 90, 36_500).default(365),
  /** How many whole days the system log is kept before today. */
  NAZAR_SYSTEM_LOG_DAYS: whole('NAZAR_SYSTEM_LOG_DAYS', 1, 3_650).default(30),
  /** For development: every user may make mock entries of the activity log. */
  NAZAR_DEVELOPMENT: flag('NAZAR_DEVELOPMENT').default(false),
  /** Who may register; null: what was chosen in the first-run wizard. */
  REGISTRATION: z
    .enum(['open', 'approval', 'closed'], 'REGISTRATION must be open, approval or closed')
    .nullable()
    .default(null),
  /** The key that opens everything that is encrypted; null: `master.key` in the data folder. */
  NAZAR_MASTER_KEY_FILE: pathOf,
  /** The mail server for emails; null: this installation sends none. */
  SMTP_URL: z
    .string()
    .transform((text, context) => {
      const smtp = readSmtpUrl(text);
      if (smtp) return smtp;
      // What was given may hold a password, and is not repeated.
      context.addIssue('SMTP_URL must be like smtps://user:password@mail.example.org');
      return z.NEVER;
    })
    .nullable()
    .default(null),
  /** The sender of emails. */
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'MAIL_FROM must be an e-mail address, or a name and an address: Nazar <nazar@example.org>',
    )
    .nullable()
    .default(null),
  /** The public address of this installation; links in emails begin with it. */
  NAZAR_PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: 'NAZAR_PUBLIC_URL must be like https://nazar.example.org',
    })
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.href === `${url.origin}/`;
    }, 'NAZAR_PUBLIC_URL must be the address alone, like https://nazar.example.org: Nazar needs a host of its own and does not run below a path')
    .transform((text) => new URL(text).origin)
    .nullable()
    .default(null),
  ...providerVariables,
  /** One core is left to the server, PostgreSQL and the media hosts. */
  NAZAR_VISION_HOSTS: whole('NAZAR_VISION_HOSTS', 1, 64).default(
    Math.max(1, availableParallelism() - 1),
  ),
});

/** How the connection to browsers is encrypted by ourselves. */
export type TlsConfig =
  | { readonly kind: 'self-signed' }
  | { readonly kind: 'files'; readonly cert: string; readonly key: string };

export interface Config {
  readonly dataFolder: string | null;
  readonly host: string;
  readonly port: number;
  readonly trustProxy: readonly string[];
  /** Null: plain HTTP. */
  readonly tls: TlsConfig | null;
  readonly hostNames: readonly string[];
  readonly requestsPerMinute: number;
  readonly databaseUrl: string | null;
  readonly roles: readonly Role[];
  readonly logLevel: (typeof logLevels)[number];
  readonly recordingFolders: readonly string[];
  readonly peerPorts: PeerPorts;
  readonly cameraAllowLoopback: boolean;
  readonly cameraNetworks: readonly string[];
  readonly pushNetworks: readonly string[];
  readonly auditDays: number;
  readonly systemLogDays: number;
  readonly development: boolean;
  readonly registration: 'open' | 'approval' | 'closed' | null;
  readonly masterKeyFile: string | null;
  /** Null: no mail is sent. */
  readonly mail: MailRoute | null;
  readonly publicUrl: string | null;
  /** Null: people sign in here only. */
  readonly provider: ProviderOptions | null;
  readonly visionHosts: number;
}

/** An empty variable counts as absent: that is what `NAME= npm start` means to its user. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const parsed = Environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new Refusal(parsed.error.issues.map(({ message }) => `${message}.`).join('\n'));
  }
  const { data } = parsed;
  const tls = tlsOf(data);
  if (!isLoopback(data.NAZAR_HOST) && tls === null && data.NAZAR_TRUST_PROXY.length === 0) {
    throw new Refusal(
      `NAZAR_HOST=${data.NAZAR_HOST} would send passwords and pictures over the network unencrypted; set NAZAR_TLS=self-signed, or NAZAR_TLS_CERT and NAZAR_TLS_KEY, or put a proxy that does TLS in front and name its address in NAZAR_TRUST_PROXY.`,
    );
  }
  return Object.freeze({
    dataFolder: data.NAZAR_DATA,
    host: data.NAZAR_HOST,
    port: data.NAZAR_PORT,
    trustProxy: Object.freeze(data.NAZAR_TRUST_PROXY),
    tls,
    hostNames: Object.freeze(data.NAZAR_HOST_NAMES),
    requestsPerMinute: data.NAZAR_REQUEST_LIMIT,
    databaseUrl: data.DATABASE_URL,
    roles: Object.freeze(data.NAZAR_ROLES),
    logLevel: data.NAZAR_LOG,
    recordingFolders: Object.freeze(data.NAZAR_RECORDINGS),
    peerPorts: peerPortsOf(data),
    cameraAllowLoopback: data.CAMERA_ALLOW_LOOPBACK,
    cameraNetworks: Object.freeze(data.NAZAR_CAMERA_NETWORKS),
    pushNetworks: Object.freeze(data.NAZAR_PUSH_NETWORKS),
    auditDays: data.NAZAR_AUDIT_DAYS,
    systemLogDays: data.NAZAR_SYSTEM_LOG_DAYS,
    development: data.NAZAR_DEVELOPMENT,
    registration: data.REGISTRATION,
    masterKeyFile: data.NAZAR_MASTER_KEY_FILE,
    mail: mailRoute(data.SMTP_URL, data.MAIL_FROM, data.NAZAR_PUBLIC_URL),
    publicUrl: data.NAZAR_PUBLIC_URL,
    provider: providerOf(data, data.NAZAR_PUBLIC_URL),
    visionHosts: data.NAZAR_VISION_HOSTS,
  });
}

function mailRoute(
  smtp: MailRoute['smtp'] | null,
  from: string | null,
  origin: string | null,
): MailRoute | null {
  if (!smtp) return null;
  if (from !== null && origin !== null) return Object.freeze({ smtp, from, origin });
  throw new Refusal(
    'SMTP_URL needs MAIL_FROM, the address that emails come from, and NAZAR_PUBLIC_URL, the address that links in them lead to.',
  );
}

function tlsOf(data: z.output<typeof Environment>): TlsConfig | null {
  const { NAZAR_TLS: own, NAZAR_TLS_CERT: cert, NAZAR_TLS_KEY: key } = data;
  if ((cert === null) !== (key === null)) {
    throw new Refusal('NAZAR_TLS_CERT and NAZAR_TLS_KEY belong together; set both.');
  }
  if (cert === null || key === null) return own && { kind: own };
  if (own === null) return { kind: 'files', cert, key };
  throw new Refusal('Set either NAZAR_TLS=self-signed, or NAZAR_TLS_CERT and NAZAR_TLS_KEY.');
}

/** Low-latency views listen where the pages do; behind a proxy that is every address. */
function peerPortsOf(data: z.output<typeof Environment>): PeerPorts {
  const { NAZAR_HOST: host, NAZAR_TRUST_PROXY: proxies } = data;
  const [first = 0, last = 0] = data.NAZAR_WEBRTC_PORTS;
  const isLocal = isLoopback(host) && proxies.length === 0;
  return Object.freeze({ address: isLocal ? '127.0.0.1' : null, first, last });
}

/** An address and how many of its bits name the network; the rest is zero or not, as people type it. */
function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** For the first lines of the log. Of the database's address only the host and the name are said. */
export function redacted(config: Config): Record<string, unknown> {
  const { databaseUrl, mail, provider, ...rest } = config;
  return {
    ...rest,
    database: databaseUrl === null ? 'embedded' : withoutUser(databaseUrl),
    provider: provider === null ? 'none' : provider.issuer,
    mail: mail === null ? 'none' : `${mail.smtp.host}:${mail.smtp.port}`,
  };
}

/** Facts for support: settings that say where something is are reduced to whether they are set. */
export function supportFacts(config: Config): Record<string, unknown> {
  const { dataFolder, host, trustProxy, hostNames, databaseUrl, recordingFolders, ...rest } =
    config;
  const { masterKeyFile, mail, publicUrl, provider, tls, peerPorts, ...facts } = rest;
  return {
    ...facts,
    listens_on_loopback: isLoopback(host),
    tls: tls?.kind ?? 'none',
    proxies: trustProxy.length,
    host_names: hostNames.length,
    database: databaseUrl === null ? 'embedded' : 'served',
    has_own_data_folder: dataFolder !== null,
    has_own_key_file: masterKeyFile !== null,
    recording_folders: recordingFolders.length,
    low_latency_ports: [peerPorts.first, peerPorts.last],
    sends_mail: mail !== null,
    has_public_url: publicUrl !== null,
    has_provider: provider !== null,
  };
}

function withoutUser(address: string): string {
  if (!URL.canParse(address)) return '[unreadable]';
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}

/** Beside the program, wherever it was started from. */
export const defaultDataFolder = join(import.meta.dirname, '../../..', 'data');
