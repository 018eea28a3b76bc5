/**
 * `npm run probe`: for those who ask for help with a camera (docs/guide/cameras.md). It reads the camera for ten seconds
 * as the server does, by its own sources and under its own rules for addresses, in a process of its own. A file in the
 * current folder says what the camera said, how Nazar reads it and how its stream arrives, with passwords, addresses
 * and names left out. It needs no database, and Nazar may run or not.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { secretsIn } from '@nazar/contract/address-secrets.ts';
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
import { Fingerprint } from '@nazar/contract/cameras.ts';
import { readConfig } from '#config/config.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import type { Diagnosis } from '#media/protocol/diagnosis-messages.ts';
import type { Reachable } from '#media/protocol/messages.ts';
import type { AskDiagnosis } from '#media/protocol/worker-messages.ts';
import { WorkerLost, Workers } from '#media/server/workers.ts';
import { askCamera } from './probe/address.ts';
import { reportOf } from './probe/report.ts';
import { isUsable, verdictOf } from './probe/verdict.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run probe                                       asks for the address and the password
  npm run probe -- URL [--certificate FINGERPRINT]    a password in URL stays in the history of your shell
`;

/** As long as an ingest waits for a stream to open. */
const openTimeoutMs = 8_000;
const measureMs = 10_000;
/** A source that does not close in this time ends with its process. */
const closeTimeoutMs = 500;

// Other users of this machine see the words of a command; the address in them may hold a password.
process.title = 'nazar probe';
process.exitCode = await main();

async function main(): Promise<number> {
  const words = readWords();
  if (!words) {
    complain(usage);
    return 1;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const sentence = shown`\nStopped.\n`;
  return exitCodeOf(() => probe(words, stop), { signal: stop.signal, sentence });
}

interface Words {
  readonly url: string | undefined;
  readonly certificate: string;
}

/** Null: they are no such command. */
function readWords(): Words | null {
  try {
    const { values, positionals } = parseArgs({
      options: { certificate: { type: 'string', default: '' } },
      allowPositionals: true,
    });
    const certificate = Fingerprint.safeParse(values.certificate);
    const [url, ...rest] = positionals;
    return certificate.success && rest.length === 0 ? { url, certificate: certificate.data } : null;
  } catch {
    return null;
  }
}

/** Its exit code: 0 when Nazar can use the camera. */
async function probe({ url, certificate }: Words, stop: AbortController): Promise<number> {
  const { stdin: input, stderr: output } = process;
  const { signal } = stop;
  const isTerminal = input.isTTY && output.isTTY;
  const asked = { input, output, isTerminal, interrupted: () => stop.abort(), signal };
  const camera: Reachable = { ...(await askCamera(url, asked)), certificate };
  signal.throwIfAborted();
  complain(shown`Reading the camera for up to 20 seconds. Press Ctrl-C to stop.\n`);
  const diagnosis = await diagnosed(camera, signal);
  const made = new Date(clock.now());
  const file = write(reportOf(camera, diagnosis, made), made);
  print(shown`\n${verdictOf(diagnosis).map((line) => shown`${line}`)}\n\nThe report is in ${file}
Passwords, addresses and names are left out of it. Read it before you send it.\n`);
  if (url !== undefined && hasPassword(url)) {
    print(
      shown`The address in your command holds a password, which stays in the history of your shell. Next time, run "npm run probe" without an address.\n`,
    );
  }
  return isUsable(diagnosis) ? 0 : 1;
}

function hasPassword(url: string): boolean {
  const read = readAddress(url);
  return !isAddressFault(read) && (read.password !== null || secretsIn(read.url).length > 0);
}

/** Null when the stream ended or hung the process that read it. */
async function diagnosed(camera: Reachable, signal: AbortSignal): Promise<Diagnosis | null> {
  const config = readConfig(process.env);
  const { cameraAllowLoopback: allowLoopback, cameraNetworks: networks, port } = config;
  const reach = { allowLoopback, networks, ownPorts: [port], fileRoots: [] };
  const question: AskDiagnosis = { kind: 'diagnosis', reach, camera, openTimeoutMs, measureMs };
  await using workers = new Workers({ clock, log: createLog('silent') });
  signal.addEventListener('abort', () => void workers[Symbol.asyncDispose]());
  try {
    const timeoutMs = openTimeoutMs + measureMs + closeTimeoutMs;
    return (await workers.ask<Diagnosis>(question, timeoutMs)).head;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkerLost) return null;
    throw error;
  }
}

/** In the folder where the command was typed; npm changes to its own. */
function write(report: string, made: Date): string {
  const time = made.toISOString().slice(0, 19).replaceAll(':', '-');
  const file = resolve(process.env['INIT_CWD'] ?? '.', `nazar-probe-${time}Z.txt`);
  try {
    writeFileSync(file, report, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Refusal(`The report can't be written to ${file} (${code}).`);
  }
  return file;
}
