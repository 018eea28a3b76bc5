/**
 * The file PostgreSQL writes its messages to. It has the file open for as long as it runs, which may be
 * longer than we do: so the file is turned over by copying it and cutting it to nothing.
 */
import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const turnOverBytes = 4 * 1024 * 1024;
const tailBytes = 2_000;

/** Keeps one older file beside it (`.1`). */
export function turnOverLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < turnOverBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/** What it said since the file was `fromBytes` long, the last 2000 bytes at most. */
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
