import { alertRuleRoutes } from '@nazar/contract/alert-rules.ts';
import { alertRoutes } from '@nazar/contract/alerts.ts';
import { houseModeRoutes } from '@nazar/contract/house-mode.ts';
import { readerLanguage } from '#http/sentences.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api, type Request } from '#http/serve.ts';
import type { Alerts } from './alerts.ts';

/** Which time zone the days of a question are in: the one that is asked for, else the reader's. */
export type ZoneOf = (scope: Scope, asked: string | undefined) => Promise<string>;

export function alertEndpoints(api: Api, { lists, workflow }: Alerts, zoneOf: ZoneOf): void {
  serve(api, alertRoutes.list, async ({ scope, query, raw }) => {
    const timeZone = await zoneOf(scope, query.timezone);
    return lists.list(scope, query, { language: languageOf(raw), timeZone });
  });
  serve(api, alertRoutes.counts, ({ scope }) => lists.counts(scope));
  serve(api, alertRoutes.read, ({ scope, params, raw }) =>
    lists.details(scope, params.id, languageOf(raw)),
  );
  serve(api, alertRoutes.updateStatus, async ({ scope, params, body, raw }) => {
    await workflow.updateStatus(scope, params.id, body);
    return lists.one(scope, params.id, languageOf(raw));
  });
  serve(api, alertRoutes.assign, async ({ scope, params, body, raw }) => {
    await workflow.assign(scope, params.id, body.user_id);
    return lists.one(scope, params.id, languageOf(raw));
  });
}

export function houseModeEndpoints(api: Api, { house }: Alerts): void {
  serve(api, houseModeRoutes.read, () => house.mode());
  serve(api, houseModeRoutes.change, ({ scope, body }) => house.change(scope, body.mode));
}

export function alertRuleEndpoints(api: Api, { rules }: Alerts): void {
  serve(api, alertRuleRoutes.list, async () => ({ results: await rules.list() }));
  serve(api, alertRuleRoutes.add, ({ scope, body }) => rules.add(scope, body));
  serve(api, alertRuleRoutes.change, ({ scope, params, body }) =>
    rules.change(scope, params.id, body),
  );
  serve(api, alertRuleRoutes.remove, ({ scope, params }) => rules.remove(scope, params.id));
}

const languageOf = ({ headers }: Request<typeof alertRoutes.list>['raw']) =>
  readerLanguage(headers['accept-language']);
