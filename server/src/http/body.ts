/**
 * Reading a body in one of the forms a route takes. The media type is compared exactly before anything is
 * parsed, and all forms end in the same schema.
 */
import type { FastifyRequest } from 'fastify';
import { unseenCharacters } from '@nazar/contract/name-characters.ts';
import { maxFileBytes } from '@nazar/contract/uploads.ts';
import type { BodyKind } from '@nazar/contract/route.ts';
import { Problem } from '#lib/problem.ts';

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** Bounds of an upload. */
export const uploadLimits = {
  /** A file is cut off here and is then too large; the code that reads it reports that for this file alone. */
  fileBytes: maxFileBytes + 1,
  files: 10,
  requestBytes: 101 * 1024 * 1024,
} as const;

export interface Upload {
  /** Name of the form field it came in. */
  readonly field: string;
  /** The client's name for the file, to identify it in an answer; never to be stored. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ReadBody {
  readonly fields: unknown;
  readonly files: readonly Upload[];
}

/** Which of the allowed kinds this request is in; anything else is refused unread. */
function bodyKind(contentType: string | undefined, allowed: readonly BodyKind[]): BodyKind {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  const kind = allowed.find((candidate) => mediaTypes[candidate] === type);
  const known = parameters.every((parameter) =>
    /^ ?(charset=utf-8|boundary=[\w'()+,./:=?-]{1,70}|boundary="[\w'()+,./:=? -]{1,70}")$/i.test(
      parameter,
    ),
  );
  if (!kind || !known) throw new Problem('unsupported_media_type');
  return kind;
}

export async function readBody(
  request: FastifyRequest,
  allowed: readonly BodyKind[],
): Promise<ReadBody> {
  const kind = bodyKind(request.headers['content-type'], allowed);
  if (kind === 'multipart') return readMultipart(request).catch(asProblem);
  if (isDeeperThan(maxDepth, request.body)) throw new Problem('invalid_body');
  return { fields: request.body, files: [] };
}

/** No form of ours is nested that deeply; code that walks a body may therefore recurse (C-712). */
const maxDepth = 20;

function isDeeperThan(depth: number, body: unknown): boolean {
  let level: unknown[] = [body];
  for (let passed = 0; level.length > 0; passed += 1) {
    if (passed > depth) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

async function readMultipart(request: FastifyRequest): Promise<ReadBody> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const files: Upload[] = [];
  // The rest of a file that is too large is read to its end, so the end must be near.
  const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN);
  if (declaredBytes > uploadLimits.requestBytes) throw new Problem('body_too_large');
  // The plugin takes this for each request, too; its types do not say so.
  const options: object = { throwFileSizeLimit: Number.isNaN(declaredBytes) };
  let bytesRead = 0;
  for await (const part of request.parts(options)) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer();
      bytesRead += bytes.length;
      if (bytesRead > uploadLimits.requestBytes) throw new Problem('body_too_large');
      const name = shownName(part.filename);
      // Browsers send a part without name and bytes where no file was chosen; an empty file has a name.
      if (bytes.length > 0 || part.filename) files.push({ field: part.fieldname, name, bytes });
    } else if (part.fieldname in fields || part.fieldnameTruncated || part.valueTruncated) {
      throw new Problem('bad_request'); // one value a field: which of two was meant is a guess
    } else {
      fields[part.fieldname] = part.value;
    }
  }
  return { fields, files };
}

const maxNameChars = 100;

/** A file's name without its path and without invisible characters; a long one keeps its beginning and its end. */
export function shownName(sent: string | undefined): string {
  const last = (sent ?? '').toWellFormed().split(/[/\\]/).at(-1)!;
  const chars = Array.from(last.replace(unseenCharacters, '').normalize('NFC').trim());
  if (chars.length <= maxNameChars) return chars.join('');
  return [...chars.slice(0, maxNameChars - 21), '…', ...chars.slice(-20)].join('');
}

/** The parser's errors about a form without boundary, cut off or malformed have no code: the sender caused them. */
function asProblem(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (error instanceof Problem || (typeof code === 'string' && code.startsWith('FST_')))
    throw error;
  throw new Problem('bad_request', {}, error);
}
