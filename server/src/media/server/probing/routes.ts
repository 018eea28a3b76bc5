import { probingRoutes, type ConnectionTest } from '@nazar/contract/probing.ts';
import type { FastifyRequest } from 'fastify';
import { connectionSentence, readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Probing, Tested } from './probing.ts';

export function probingEndpoints(api: Api, probing: Probing): void {
  serve(api, probingRoutes.testConnection, async ({ scope, params, body, raw }) =>
    withSentence(await probing.test(scope, params.id, body.timeout * 1000), raw),
  );
  serve(api, probingRoutes.testUnsaved, async ({ scope, body: { timeout, ...form }, raw }) =>
    withSentence(await probing.testUnsaved(scope, form, timeout * 1000), raw),
  );
}

function withSentence({ name, ...tested }: Tested, { headers }: FastifyRequest): ConnectionTest {
  const language = readerLanguage(headers['accept-language']);
  return { ...tested, message: connectionSentence(language, tested.outcome, name) };
}
