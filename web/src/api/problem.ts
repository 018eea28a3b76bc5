/** What a refused or failed call says: the server's sentence is already in the reader's language. */
import { translate } from '#lib/i18n.ts';

export class Problem extends Error {
  /** 0: no answer came at all. */
  readonly status: number;
  /** A code of `contract/src/problem.ts`, or '' when the answer carried none. */
  readonly code: string;
  /** One sentence; '' when only fields are wrong. */
  readonly detail: string;
  /** Sentences by field name. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** When to ask again, where the server names it. */
  readonly retryAfterS: number | null;

  constructor(
    status: number,
    code: string,
    detail: string,
    fields: Record<string, string[]> = {},
    cause?: unknown,
    retryAfterS: number | null = null,
  ) {
    super(detail === '' ? `HTTP ${status}` : detail, { cause });
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fields = fields;
    this.retryAfterS = retryAfterS;
  }
}

/** No answer, one that was cut off on its way, or one that is not of this product. */
export const noAnswer = (cause: unknown): Problem => new Problem(0, '', '', {}, cause);

const endings: ReadonlySet<string> = new Set([
  'not_signed_in',
  'invalid_refresh',
  'account_disabled',
]);

/** The server refused the session itself. Whatever else goes wrong, the session may live and its tokens are kept. */
export const endsSession = (error: unknown): boolean =>
  error instanceof Problem && endings.has(error.code);

/** `{ detail, code }`, or 400 `{ field: [messages] }`; a proxy in between may answer anything. */
export async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfter = response.headers.get('Retry-After');
  const retryAfterS = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  if (typeof body !== 'object' || body === null) return new Problem(response.status, '', '');
  // A field may be called `code`, too: then it is a list.
  const { detail, code } = body as Record<string, unknown>;
  const fields = Object.fromEntries(
    Object.entries(body)
      .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
      .map(([name, messages]) => [name, messages.map(String)]),
  );
  return new Problem(
    response.status,
    typeof code === 'string' ? code : '',
    typeof detail === 'string' ? detail : '',
    fields,
    undefined,
    retryAfterS,
  );
}

/** The list has fewer pages than the one that was asked for. */
export const isPageTooLate = (error: unknown): boolean =>
  error instanceof Problem && error.status === 400 && Object.hasOwn(error.fields, 'page');

/** Whether the server says more than that it refuses. */
export const hasWords = ({ detail, fields }: Problem): boolean =>
  detail !== '' || Object.keys(fields).length > 0;

/** The server says which field of the question is wrong, such as an end before the start: asking again does not help. */
export const isAskedWrong = (error: unknown): boolean =>
  error instanceof Problem && Object.keys(error.fields).length > 0;

/** The sentence to show for anything that was thrown by a call. */
export function problemSentence(error: unknown): string {
  if (!(error instanceof Problem)) return translate('problem:problem.internal');
  if (error.status === 0) return translate('error.unreachable');
  if (error.detail !== '') return error.detail;
  const first = Object.values(error.fields)[0]?.[0];
  return first ?? translate('problem:problem.internal');
}
