/**
 * Reading a body in one of the forms a route takes. The media type is compared exactly before anything is
 * parsed, and all forms end in the same schema (C-708).
 */
import type { FastifyRequest } from 'fastify';
import type { BodyKind } from '@nazar/contract/route.ts';
import { Problem } from '#lib/problem.ts';

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** Bounds of an upload (C-520). */
export const uploadLimits = {
  fileBytes: 10 * 1024 * 1024,
  files: 10,
  requestBytes: 100 * 1024 * 1024,
} as const;

export interface Upload {
  /** Name of the form field it came in. The client's file name is not kept (C-522). */
  readonly field: string;
  readonly bytes: Buffer;
}

export interface ReadBody {
  readonly fields: unknown;
  readonly files: readonly Upload[];
}

/** Which of the allowed kinds this request is in; anything else is refused unread. */
export function bodyKind(contentType: string | undefined, allowed: readonly BodyKind[]): BodyKind {
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

/** No form of ours is nested that deeply; what walks a body may then call itself (C-712). */
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
  let bytesRead = 0;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer();
      bytesRead += bytes.length;
      if (bytesRead > uploadLimits.requestBytes) throw new Problem('body_too_large');
      // Browsers send a part without name and bytes where no file was chosen; an empty file has a name.
      if (bytes.length > 0 || part.filename) files.push({ field: part.fieldname, bytes });
    } else if (part.fieldname in fields || part.fieldnameTruncated || part.valueTruncated) {
      throw new Problem('bad_request'); // one value a field: which of two was meant is a guess
    } else {
      fields[part.fieldname] = part.value;
    }
  }
  return { fields, files };
}

/** What the parser says of a form without boundary, cut off or malformed has no code: it is the sender's. */
function asProblem(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (error instanceof Problem || (typeof code === 'string' && code.startsWith('FST_')))
    throw error;
  throw new Problem('bad_request', {}, error);
}
