import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { activityRoutes } from '@nazar/contract/activity.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { verificationRoutes } from '@nazar/contract/chain-verification.ts';
import { warningRoutes } from '@nazar/contract/warnings.ts';
import { attachment } from '#http/attachment.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { ActivityLog, Verification, Warnings } from './activity.ts';

export function activityEndpoints(api: Api, log: ActivityLog): void {
  serve(api, activityRoutes.list, ({ scope, query, raw }) =>
    log.list(scope, query, languageOf(raw)),
  );
  serve(api, activityRoutes.filter, ({ scope, body, raw }) =>
    log.list(scope, body, languageOf(raw)),
  );
  serve(api, activityRoutes.export, async ({ scope, query, raw, reply }) => {
    const { day, rows } = await log.export(scope, query, languageOf(raw));
    void reply.header('content-disposition', `attachment; filename="activity_logs_${day}.csv"`);
    return Readable.from(rows);
  });
  serve(api, activityRoutes.read, ({ scope, params, raw }) =>
    log.read(scope, params.id, languageOf(raw)),
  );
  serve(api, activityRoutes.add, ({ scope, body, raw }) => log.add(scope, body, languageOf(raw)));
  serve(api, activityRoutes.sync, ({ scope, body }) => log.sync(scope, body.logs));
  serve(api, activityRoutes.addMock, async ({ scope, body }) => ({
    created: await log.addMock(scope, body.count),
  }));
  serve(api, activityRoutes.removeMany, async ({ scope, body }) => ({
    deleted: await log.removeMany(scope, body.ids),
  }));
  serve(api, activityRoutes.removeAll, async ({ scope }) => ({
    deleted: await log.removeAll(scope),
  }));
  serve(api, activityRoutes.removeOfUser, async ({ scope, params }) => ({
    deleted: await log.removeOfUser(scope, params.id),
  }));
  serve(api, activityRoutes.remove, ({ scope, params }) => log.remove(scope, params.id));
  serve(api, activityRoutes.countByAction, async ({ scope, query, raw }) => ({
    results: await log.countByAction(scope, query, languageOf(raw)),
  }));
}

export function savedSearchEndpoints(api: Api, { searches }: ActivityLog): void {
  serve(api, savedSearchRoutes.list, async ({ scope }) => ({
    results: await searches.list(scope),
  }));
  serve(api, savedSearchRoutes.save, ({ scope, body }) => searches.save(scope, body));
  serve(api, savedSearchRoutes.remove, ({ scope, params }) => searches.remove(scope, params.id));
}

export function verificationEndpoints(api: Api, verification: Verification): void {
  serve(api, verificationRoutes.state, () => verification.state());
  serve(api, verificationRoutes.start, ({ scope }) => verification.start(scope));
  serve(api, verificationRoutes.cancel, () => verification.cancel());
  serve(api, verificationRoutes.file, async ({ params, reply }) => {
    const { name, text } = await verification.file(params.id);
    void reply.header('content-disposition', attachment(name));
    return Buffer.from(text);
  });
}

export function warningEndpoints(api: Api, warnings: Warnings): void {
  serve(api, warningRoutes.list, async () => ({ results: await warnings.list() }));
  serve(api, warningRoutes.acknowledge, ({ scope, params }) =>
    warnings.acknowledge(scope, params.id),
  );
}

const languageOf = ({ headers }: FastifyRequest) => readerLanguage(headers['accept-language']);
