/**
 * Answers for input that never becomes a request: heads that are too large, bytes that are not HTTP, senders that are
 * too slow. Node would answer them by itself, without a body or our headers. Also logs broken WebSockets.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import { Problem } from '#lib/problem.ts';
import type { Log } from '#lib/log.ts';
import { answerHeaders } from './guards.ts';
import { problemSentence, readerLanguage } from './sentences.ts';

interface BrokenRequest {
  readonly code?: string | undefined;
  /** The last bytes that were read. */
  readonly rawPacket?: unknown;
}

type BrokenSocket = Socket & {
  /** The answer that is being sent, if there is one. */
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
};

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Null: no client to answer, or none that speaks HTTP (a connection that was reset, TLS that did not begin). */
function problemOf({ code = '' }: BrokenRequest): Problem | null {
  const known = codes[code] ?? (code.startsWith('HPE_') ? 'bad_request' : null);
  return known && new Problem(known);
}

/** The fault is the caller's, and nothing they sent is repeated or logged. */
export function answerBrokenRequest(error: BrokenRequest, socket: BrokenSocket): void {
  const problem = problemOf(error);
  if (problem && socket.writable && socket._httpMessage?.headersSent !== true) {
    socket.end(answerText(problem, languageHeaderIn(error.rawPacket)), () => socket.destroy());
  } else socket.destroy();
}

function answerText({ code, status, params }: Problem, language: string | undefined): string {
  const detail = problemSentence(readerLanguage(language), code, params);
  const body = JSON.stringify({ detail, code });
  const headers = {
    ...answerHeaders,
    'cache-control': 'private, no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** The reader's preferred language, if the bytes that broke the request contain it. */
function languageHeaderIn(bytes: unknown): string | undefined {
  const head = Buffer.isBuffer(bytes) ? bytes.subarray(0, 16 * 1024).toString('latin1') : '';
  return /^accept-language:[ \t]*([^\r\n]{1,200})/im.exec(head)?.[1];
}

/** Frames that are too large or malformed: closed with their code (1009, 1002, 1007); this is no bug of ours. */
export function webSocketBroke(
  error: Error & { readonly code?: string },
  socket: { terminate(): void },
  log: Pick<Log, 'debug' | 'error'>,
): void {
  const { code = '' } = error;
  if (code.startsWith('WS_ERR_') || code === 'ECONNRESET' || code === 'EPIPE') {
    log.debug({ code }, 'a browser broke its WebSocket');
    return;
  }
  log.error({ err: error }, 'a WebSocket failed');
  socket.terminate();
}
