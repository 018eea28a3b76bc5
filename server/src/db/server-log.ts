/**
 * The file PostgreSQL writes its messages to. PostgreSQL keeps the file open for as long as it runs, which may be
 * longer than we do: so the file is rotated by copying it and truncating it.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';

const turnOverBytes = 4 * 1024 * 1024;
const tailBytes = 2_000;

/** Keeps one older file beside it (`.1`). */
export async function turnOverLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size < turnOverBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** What PostgreSQL wrote since the file was `fromBytes` long, the last 2000 bytes at most. */
export function logSince(path: string, fromBytes: number): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const start = Math.max(Math.min(fromBytes, size), size - tailBytes);
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size - start);
    readSync(file, bytes, 0, bytes.length, start);
    return bytes.toString('utf8').trim();
  } finally {
    closeSync(file);
  }
}

export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
