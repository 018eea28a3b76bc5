/**
 * Compares every answer of a server under test with what its route is documented to answer, so that the
 * OpenAPI description cannot drift: an answer that stands nowhere fails the test file.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import { problems, type ProblemCode } from '@nazar/contract/problem.ts';
import type { Route } from '@nazar/contract/route.ts';
import { answersOf, statusesOf, type RouteAnswers } from '#http/answers.ts';
import { Problem } from '#lib/problem.ts';
import { named, routes } from './routes.ts';

interface Documented extends RouteAnswers {
  readonly statuses: ReadonlySet<number>;
  /** Statuses whose body may have the form `{ field: [sentence] }`. */
  readonly fieldStatuses: ReadonlySet<number>;
}

const byName = new Map(routes.map((route) => [named(route), documented(route)]));

function documented(route: Route): Documented {
  const answers = answersOf(route);
  const { successes, fieldProblems, refusesFields } = answers;
  const fieldStatuses = statusesOf(fieldProblems);
  if (refusesFields) fieldStatuses.add(400);
  const statuses = new Set([...successes, ...statusesOf(answers.problems), ...fieldStatuses]);
  return { ...answers, statuses, fieldStatuses };
}

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];
const Refusal = z.strictObject({ detail: z.string(), code: z.enum(codes) });
const FieldErrors = z.record(z.string(), z.array(z.string()).check(z.minLength(1)));

const faults = new Set<string>();

/**
 * Reported when the process ends, not thrown when the server does: a test file whose clean-up throws leaves open
 * what it would have closed next, and hangs.
 */
process.once('exit', () => {
  if (faults.size === 0) return;
  process.exitCode = 1;
  process.stderr.write(`Answers that no route documents:\n${[...faults].join('\n')}\n`);
});

/** To be called before the first request. */
export function watchAnswers(app: FastifyInstance): void {
  app.addHook('onError', async (request, _reply, error) => {
    const route = routeOf(request);
    if (!route || !(error instanceof Problem)) return;
    // The answer has only the sentence for a field, so the code is checked here.
    const { field } = error.params;
    const known = field === undefined ? route.problems : route.fieldProblems;
    if (known.has(error.code)) return;
    const where = field === undefined ? 'problems' : `fieldProblems, for ${field}`;
    faults.add(`${nameOf(request)}: ${error.code} (${where})`);
  });
  app.addHook('onSend', async (request, { statusCode }, payload) => {
    const route = routeOf(request);
    const fault = route && faultOf(route, statusCode, payload);
    if (fault) faults.add(`${nameOf(request)}: ${statusCode} ${fault}`);
    return payload;
  });
}

/** The answer to a HEAD is that to a GET without its body. */
const nameOf = ({ method, routeOptions: { url = '' } }: FastifyRequest): string =>
  named({ method: method === 'HEAD' ? 'GET' : method, path: url });

const routeOf = (request: FastifyRequest): Documented | undefined => byName.get(nameOf(request));

function faultOf(route: Documented, status: number, payload: unknown): string | null {
  if (!route.statuses.has(status)) return 'is no status of this route';
  if (status < 400 || typeof payload !== 'string' || payload === '') return null;
  const body: unknown = JSON.parse(payload);
  const refusal = Refusal.safeParse(body);
  if (refusal.success) {
    const { code } = refusal.data;
    const isKnown = route.problems.has(code) && problems[code] === status;
    return isKnown ? null : `${code} is no problem of this route`;
  }
  const isOfFields = route.fieldStatuses.has(status) && FieldErrors.safeParse(body).success;
  return isOfFields ? null : `has another form: ${payload.slice(0, 200)}`;
}
