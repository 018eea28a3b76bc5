/** A command of the product as an administrator types it: its own process, with the least environment. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface Run {
  readonly code: number;
  readonly said: string;
}

export interface Installed {
  /** The data folder. */
  readonly folder: string;
  readonly databaseUrl: string;
}

/** `program` is a file in `server/src`. */
export function runCommand(
  { folder, databaseUrl }: Installed,
  program: string,
  words: readonly string[],
): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const path = join(import.meta.dirname, '..', program);
  const env = { PATH: process.env['PATH'], NAZAR_DATA: folder, DATABASE_URL: databaseUrl };
  execFile(process.execPath, [path, ...words], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
  );
  return promise;
}
