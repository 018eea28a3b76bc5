import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { activityRoutes } from '@nazar/contract/activity.ts';
import { warningRoutes } from '@nazar/contract/warnings.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { ActivityLog, Warnings } from './activity.ts';

export function activityEndpoints(doors: Doors, log: ActivityLog): void {
  serve(doors, activityRoutes.list, ({ scope, query, raw }) =>
    log.list(scope, query, languageOf(raw)),
  );
  serve(doors, activityRoutes.listWithoutSlash, ({ scope, query, raw }) =>
    log.list(scope, query, languageOf(raw)),
  );
  serve(doors, activityRoutes.filter, ({ scope, body, raw }) =>
    log.list(scope, body, languageOf(raw)),
  );
  serve(doors, activityRoutes.export, async ({ scope, query, raw, reply }) => {
    const { day, rows } = await log.export(scope, query, languageOf(raw));
    void reply.header('content-disposition', `attachment; filename="activity_logs_${day}.csv"`);
    return Readable.from(rows);
  });
  serve(doors, activityRoutes.read, ({ scope, params, raw }) =>
    log.read(scope, params.id, languageOf(raw)),
  );
  serve(doors, activityRoutes.add, ({ scope, body, raw }) => log.add(scope, body, languageOf(raw)));
  serve(doors, activityRoutes.sync, ({ scope, body }) => log.sync(scope, body.logs));
  serve(doors, activityRoutes.addMock, async ({ scope, body }) => ({
    created: await log.addMock(scope, body.count),
  }));
  serve(doors, activityRoutes.removeMany, async ({ scope, body }) => ({
    deleted: await log.removeMany(scope, body.ids),
  }));
  serve(doors, activityRoutes.removeAll, async ({ scope }) => ({
    deleted: await log.removeAll(scope),
  }));
  serve(doors, activityRoutes.removeOfUser, async ({ scope, params }) => ({
    deleted: await log.removeOfUser(scope, params.id),
  }));
  serve(doors, activityRoutes.remove, ({ scope, params }) => log.remove(scope, params.id));
  serve(doors, activityRoutes.countByType, ({ scope, query, raw }) =>
    log.countBy('type', scope, query, languageOf(raw)),
  );
  serve(doors, activityRoutes.countByAction, async ({ scope, query, raw }) => ({
    results: await log.countBy('action', scope, query, languageOf(raw)),
  }));
  serve(doors, activityRoutes.countByLevel, ({ scope, query, raw }) =>
    log.countBy('level', scope, query, languageOf(raw)),
  );
}

export function warningEndpoints(doors: Doors, warnings: Warnings): void {
  serve(doors, warningRoutes.list, async () => ({ results: await warnings.list() }));
  serve(doors, warningRoutes.acknowledge, ({ scope, params }) =>
    warnings.acknowledge(scope, params.id),
  );
}

const languageOf = ({ headers }: FastifyRequest) => readerLanguage(headers['accept-language']);
