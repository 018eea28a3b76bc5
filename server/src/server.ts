/**
 * The server: its modules, the API that binds their routes, and its background work, built in order and taken
 * down in reverse.
 */
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Route } from '@nazar/contract/route.ts';
import { serveAssets } from '#http/assets.ts';
import { createHttp } from '#http/http.ts';
import { LongAnswers } from '#http/long-answers.ts';
import { RequestLimits } from '#http/request-limits.ts';
import type { ScopeOf } from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import { SharedAnswers } from '#http/shared-answers.ts';
import { Tickets } from '#live/tickets.ts';
import { Denials } from '#activity/denials.ts';
import { Housekeeping } from '#app/housekeeping.ts';
import { buildModules, type Modules } from '#app/modules.ts';
import { NotificationStreams } from '#notifications/notifications.ts';
import { Pipeline } from './pipeline.ts';
import { Rights } from '#app/rights.ts';
import { bindRoutes } from '#app/routes.ts';
import type { ServerOptions } from '#app/server-options.ts';
import { bindLiveViews, openLiveViews } from '#app/live-views.ts';
import { Monitor } from '#system/monitor.ts';

export type { ServerOptions } from '#app/server-options.ts';

export interface Server
  extends
    AsyncDisposable,
    Pick<
      Modules,
      | 'settings'
      | 'accounts'
      | 'activityLog'
      | 'alerts'
      | 'notifications'
      | 'mqtt'
      | 'systemLog'
      | 'verification'
      | 'warnings'
      | 'cameras'
      | 'recordings'
      | 'faces'
      | 'visits'
      | 'vision'
      | 'privacy'
      | 'demo'
    > {
  readonly app: FastifyInstance;
  /** Every route that is served. */
  readonly routes: readonly Route[];
}

export async function createServer(options: ServerOptions): Promise<Server> {
  await using stack = new AsyncDisposableStack();
  const modules = await buildModules(options, stack);
  await modules.cameras.moveOlderAddresses();
  const { clock, log } = options;
  const rights = new Rights(modules.accounts, modules.cameras);
  const tickets = new Tickets(options.master, clock);
  const scopeOf: ScopeOf = (asker, ip) => rights.ofAsker(asker, ip);
  const answers = new SharedAnswers(clock);
  const parts = { modules, rights, scopeOf, answers, clock, log };
  const liveViews = openLiveViews(parts, stack);
  const callers = { modules, rights, tickets };
  const api = { ...(await openApi(options, stack, callers)), shared: answers };
  // Ends before the connections do: its readers learn that it was no failure.
  const { notifications } = modules;
  const notificationStreams = stack.use(new NotificationStreams({ notifications, clock, log }));
  bindRoutes(api, { modules, scopeOf, version: options.version, notificationStreams });
  const detector = bindLiveViews(api, liveViews, tickets, parts, stack);
  await serveAssets(api.app, options.webDir);
  const { viewers } = liveViews;
  stack.use(new Pipeline({ ...modules, viewers, detector, log }));
  stack.use(startHousekeeping(modules, options));
  // Continues the erasures that an earlier run did not finish.
  void modules.privacy.runErasures();
  await modules.ingest.sync();
  // Knows from its first check which cameras are ingested.
  stack.use(startMonitor(modules, options));
  const built = stack.move();
  const { app, served: routes } = api;
  return { ...modules, app, routes, [Symbol.asyncDispose]: () => built.disposeAsync() };
}

/** What the API needs to identify its callers. */
interface CallerChecks {
  readonly modules: Modules;
  readonly rights: Rights;
  readonly tickets: Tickets;
}

async function openApi(
  { hosts, trustProxy, certificate = null, requestsPerMinute = null, clock, log }: ServerOptions,
  stack: AsyncDisposableStack,
  { modules, rights, tickets }: CallerChecks,
): Promise<Api> {
  const limits = requestsPerMinute === null ? null : new RequestLimits(clock, requestsPerMinute);
  const app = await createHttp({ log, hosts, trustProxy, clock, certificate, limits });
  stack.defer(() => app.close());
  const denials = new Denials(modules.warnings, clock);
  return {
    app,
    identify: (request) => rights.ofRequest(request),
    identifyTicket: (request, ticket, cameraId) =>
      rights.ofTicket(request, tickets.open(ticket, cameraId)),
    awaitsSetup: () => modules.accounts.awaitsSetup(),
    limits,
    denied: (scope, code) => denials.count(scope, code),
    answers: stack.use(
      new LongAnswers({ scopesOf: (asked) => rights.ofAskers(asked), clock, log }),
    ),
    served: [],
  };
}

function startHousekeeping(modules: Modules, { clock, log }: ServerOptions): Housekeeping {
  const { visits, namings, accounts, check, privacy, history, systemLog } = modules;
  const { alerts, notifications } = modules;
  const chores = {
    partitions: () => visits.preparePartitions(),
    days: () => systemLog.prepareDays(),
    oldLines: () => systemLog.removeOld(),
    tokens: () => accounts.deleteExpiredTokens(),
    record: (signal: AbortSignal) => check.run(signal),
    sessions: () => accounts.endOverdueSessions(),
    consent: () => privacy.applyConsent(),
    retention: () => privacy.removeOld(),
    erasures: () => privacy.runErasures(),
    namings: () => namings.run(),
    history: () => history.removeOld(),
    alerts: (signal: AbortSignal) => alerts.removal.removeOld(signal),
    notifications: (signal: AbortSignal) => notifications.removal.removeOld(signal),
  };
  return new Housekeeping({ chores, clock, log });
}

/** Starts the monitor that warns administrators of faults that no request reveals. */
function startMonitor(
  { warnings, ingest, accounts, recordings }: Modules,
  options: ServerOptions,
): Monitor {
  accounts.suspected.on(({ kind, userId }) => warnings.raiseSoon({ kind, subject: userId }));
  const { clock, log, auditDir } = options;
  return new Monitor({
    warnings,
    pictures: () => ingest.pictures(),
    unusableFolders: () => recordings.unusableFolders(),
    fit: () => recordings.fit(),
    folder: dirname(auditDir),
    clock,
    log,
  });
}
