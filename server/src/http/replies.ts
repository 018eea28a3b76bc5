/**
 * How a failure is answered. A Problem or a refused body is the caller's fault and is answered in the caller's
 * language; anything else is a bug: logged with its stack, answered 500 without details.
 *
 *   400 { field: [sentences] }     what was wrong with which field
 *   else { detail, code }
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import type { $ZodIssue } from 'zod/v4/core';
import { Problem, RefusedFiles } from '#lib/problem.ts';
import { fieldSentence, fileSentence, problemSentence, readerLanguage } from './sentences.ts';

/** What the schema of a route found wrong with a request. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly issues: readonly $ZodIssue[];

  constructor(issues: readonly $ZodIssue[]) {
    super('invalid request');
    this.issues = issues;
  }
}

/** The key for faults without a field. */
const wholeBody = 'non_field_errors';

export function replyWithFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('cache-control', 'private, no-store'); // a missing file may be there tomorrow
  const language = readerLanguage(request.headers['accept-language']);
  if (error instanceof InvalidRequest) {
    // A caller may name a field `__proto__`.
    const fields = Object.create(null) as Record<string, string[]>;
    for (const issue of error.issues) {
      const field = issue.path.length > 0 ? issue.path.map(String).join('.') : wholeBody;
      (fields[field] ??= []).push(fieldSentence(language, issue));
    }
    void reply.code(400).send(fields);
    return;
  }
  if (error instanceof RefusedFiles) {
    const sentences = error.files.map((file) => fileSentence(language, file));
    void reply.code(400).send({ [error.field]: sentences });
    return;
  }
  const problem = asProblem(error);
  if (problem.code === 'internal') request.log.error({ err: error }, 'request failed');
  const sentence = problemSentence(language, problem.code, problem.params);
  const { field, retry_after_s: retryAfterS } = problem.params;
  if (retryAfterS !== undefined) void reply.header('retry-after', String(retryAfterS));
  void reply
    .code(problem.status)
    .send(field === undefined ? { detail: sentence, code: problem.code } : { [field]: [sentence] });
}

/** Codes of other code: Fastify refuses (size, media type, bad JSON), PostgreSQL and the system have no room. */
const knownCodes: Record<string, ProblemCode> = {
  '53100': 'disk_full',
  ENOSPC: 'disk_full',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_REQ_FILE_TOO_LARGE: 'image_too_large',
  FST_FILES_LIMIT: 'images_too_many',
  FST_PARTS_LIMIT: 'bad_request',
  FST_FIELDS_LIMIT: 'bad_request',
  FST_PROTO_VIOLATION: 'bad_request',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
};

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : knownCodes[code];
  if (known) return new Problem(known, {}, error);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('bad_request', {}, error);
  }
  return new Problem('internal', {}, error);
}
