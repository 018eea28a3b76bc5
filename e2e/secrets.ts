/// <reference lib="dom" />
/**
 * What the journeys typed as a secret or were given as one, and where it was seen since: in an answer to a
 * browser or a script, in a browser's storage, a log, an argument, an environment or a file of the data
 * folder. One list for a whole run; `Installation.remove` fails on it (C-503, C-602, C-604).
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { BrowserContext, Page, Response } from '@playwright/test';
import { shortestBytes, WordSearch } from './word-search.ts';

const pieceBytes = 4 * 1024 * 1024;

type Kind = 'password' | 'token';

interface Secret {
  readonly kind: Kind;
  readonly text: string;
}

/** Every form they may be written in. */
const forms = new WordSearch<Secret>();
const known = new Set<string>();
/** Planted, and found where they were planted. */
const planted = new Set<string>();
const seen = new Set<string>();
let searched = { answers: 0, bytes: 0 };

export function keepSecret(kind: Kind, text: string): void {
  if (known.has(`${kind} ${text}`)) return;
  known.add(`${kind} ${text}`);
  const bytes = Buffer.from(text);
  const written = [
    text,
    encodeURIComponent(text),
    bytes.toString('hex'),
    // Less its end, which depends on what follows.
    bytes.toString('base64').slice(0, -4),
    JSON.stringify(text).slice(1, -1),
  ];
  const secret = { kind, text };
  for (const form of new Set(written)) {
    const word = Buffer.from(form);
    if (word.length >= shortestBytes) forms.add(word, secret);
  }
}

/** Every text under a key that names a secret, wherever in a body. */
export function keepSecretsOf(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const [key, value] of Object.entries(body)) {
    if (typeof value === 'string' && /password/i.test(key)) keepSecret('password', value);
    if (typeof value === 'string' && /^(access|refresh|ticket)$/.test(key))
      keepSecret('token', value);
    keepSecretsOf(value);
  }
}

/** Which secrets of these kinds stand in it. */
export function secretsIn(text: string | Buffer, kinds: readonly Kind[]): string[] {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  searched.bytes += bytes.length;
  return [...forms.in(bytes)]
    .filter((secret) => kinds.includes(secret.kind) && !planted.has(secret.text))
    .map(({ kind, text: found }) => `${kind} ${found.slice(0, 6)}...`);
}

export function look(where: string, text: string | Buffer, kinds: readonly Kind[]): void {
  for (const found of secretsIn(text, kinds)) seen.add(`${found} in ${where}`);
}

/** A file of any size, by pieces that overlap. */
export async function lookInFile(file: string): Promise<void> {
  const { size } = await stat(file);
  let end: Buffer = Buffer.alloc(0);
  // A stream takes as much memory for a file of a few bytes, of which an installation has two thousand.
  const highWaterMark = Math.min(pieceBytes, size + 1);
  for await (const piece of createReadStream(file, { highWaterMark })) {
    const bytes = end.length === 0 ? (piece as Buffer) : Buffer.concat([end, piece as Buffer]);
    look(file, bytes, ['password', 'token']);
    end = Buffer.from(bytes.subarray(-forms.longest));
  }
}

/** Whether this one was seen; from now on it is no longer searched for. */
export function wasSeen(secret: string): boolean {
  const found = [...seen].filter((place) => place.includes(`${secret.slice(0, 6)}...`));
  for (const place of found) seen.delete(place);
  planted.add(secret);
  return found.length > 0;
}

/** Where secrets were seen so far, and how much was searched; begins anew. */
export function foundSecrets(): {
  readonly seen: string[];
  readonly answers: number;
  readonly bytes: number;
} {
  const result = { seen: [...seen], ...searched };
  seen.clear();
  searched = { answers: 0, bytes: 0 };
  return result;
}

/** The calls whose answers are tokens. */
const givesTokens = /\/(login|refresh|administrator|ticket|see-as|passkey|oidc)/;

export function lookAtAnswer(url: string, text: string): void {
  searched.answers += 1;
  const gives = givesTokens.test(new URL(url).pathname);
  if (gives) keepSecretsOf(parsed(text));
  look(`the answer of ${url}`, text, gives ? ['password'] : ['password', 'token']);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Reads along everything a browser is answered and keeps. */
export function readAlong(context: BrowserContext): void {
  context.on('response', (response) => void readAnswer(response));
  context.on('page', (page) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string')
          look(`a frame of ${socket.url()}`, payload, ['password', 'token']);
      }),
    );
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    for (const page of context.pages()) await readStorage(page);
    await close(options);
  };
}

async function readAnswer(response: Response): Promise<void> {
  const url = response.url();
  const isJson = /json/.test(response.headers()['content-type'] ?? '');
  if (!/\/(secure-api|token)\//.test(url) || !isJson) return;
  // A page that was left has no answers any more.
  const text = await response.text().catch(() => null);
  if (text !== null) lookAtAnswer(url, text);
}

/** Tokens are kept there by contract; passwords never are. */
async function readStorage(page: Page): Promise<void> {
  const kept = await page.evaluate(storageOf).catch(() => null);
  if (kept !== null) look('the storage of a browser', kept, ['password']);
}

/** Runs in the page. */
async function storageOf(): Promise<string> {
  const rows: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
  rows.push(document.cookie);
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only what is in here goes into the page
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('unreadable')));
    });
  for (const { name } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name ?? ''));
    for (const store of database.objectStoreNames) {
      rows.push(await asked(database.transaction(store).objectStore(store).getAll()));
    }
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) rows.push(request.url);
  }
  return JSON.stringify(rows);
}
