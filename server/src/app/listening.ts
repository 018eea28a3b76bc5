/** Where the server is reached: its names, its listening socket, its certificate. */
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Certificate, certificateFiles } from '#http/certificate.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Config } from '#config/config.ts';

const wildcards = ['0.0.0.0', '::'];
const loopback = ['localhost', '127.0.0.1', '::1'];

/**
 * Names a browser may reach us by; addresses that connections come in by are added by the guard. The
 * name of the machine itself only with TLS, where a page that pretends to have it fails at the certificate.
 */
export function hostsOf({ host, hostNames, publicUrl, tls }: Config): string[] {
  const named = publicUrl === null ? [] : [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')];
  const names = [...loopback, host, ...hostNames, ...named, ...(tls ? machineNames() : [])];
  return names.map((name) => (name.includes(':') ? `[${name}]` : name).toLowerCase());
}

/** Null without TLS. Throws a Refusal when a certificate cannot be used. */
export async function openCertificate(
  { tls, host, hostNames }: Config,
  dataFolder: string,
  clock: Clock,
  log: Log,
): Promise<Certificate | null> {
  if (!tls) return null;
  if (tls.kind === 'files') {
    return Certificate.open(certificateFiles(tls.cert, tls.key), clock, log);
  }
  // Only installations with TLS load it.
  const { selfSigned } = await import('#http/self-signed.ts');
  const folder = join(dataFolder, 'tls');
  const isAnywhere = wildcards.includes(host);
  const named = [...loopback, ...(isAnywhere ? [] : [host]), ...hostNames];
  const found = [...machineNames(), ...(isAnywhere ? lanAddresses() : [])];
  return Certificate.open(
    {
      name: folder,
      isSelfSigned: true,
      read: () => selfSigned(folder, { named, found }, clock.now()),
    },
    clock,
    log,
  );
}

/** Its origin. Throws a Refusal that says what to change. */
export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port, tls } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Refusal(
        `Port ${port} on ${host} is in use; stop what uses it, or name another in NAZAR_PORT.`,
        { cause: error },
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES') {
      throw new Refusal(
        `Nazar cannot listen on ${host}, port ${port} (${code}); correct NAZAR_HOST or NAZAR_PORT.`,
        { cause: error },
      );
    }
    throw error;
  }
  const bound = app.addresses().find((address) => typeof address === 'object');
  const name = nameToShow(config);
  const shown = name.includes(':') ? `[${name}]` : name;
  return `${tls ? 'https' : 'http'}://${shown}:${bound?.port ?? port}`;
}

/** A name that works in a browser, as 0.0.0.0 does not. Plain HTTP on all addresses is meant for a proxy. */
function nameToShow({ host, hostNames, tls }: Config): string {
  if (!wildcards.includes(host)) return host;
  if (!tls) return 'localhost';
  return hostNames[0] ?? lanAddresses()[0] ?? 'localhost';
}

/** The machine's name in DNS and in mDNS; none where it is no host name. */
function machineNames(): string[] {
  const name = hostname().toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return [];
  return name.includes('.') ? [name] : [name, `${name}.local`];
}

/** IPv4 first, as people type it. Link-local addresses belong to one cable and do not work in a browser. */
function lanAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);
}
