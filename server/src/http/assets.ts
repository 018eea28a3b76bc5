/**
 * The built web application. Files under `assets/` have a hash in their name and are cached for ever; every path that
 * is neither a file nor an API path is a page of the application, whose router reads the path. The build compresses
 * what compresses well (web/build/compress.ts); each file is sent as the browser's `Accept-Encoding` prefers, and no
 * request waits for compression.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { replyWithFailure } from './replies.ts';

const apiPaths = /^\/(?:secure-api|token|healthz|camera\/list)(?:\/|$)/;
const page = 'index.html';
const assets = 'assets';

/** `folder`: absolute path of `web/dist`; null where no pages are served. */
export async function serveAssets(app: FastifyInstance, folder: string | null): Promise<void> {
  const hasPage = folder !== null && existsSync(join(folder, page));
  if (folder !== null) await serveFiles(app, folder);
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const wantsPage = request.method === 'GET' && !apiPaths.test(path) && !path.includes('.');
    if (wantsPage && hasPage) void reply.sendFile(page);
    else replyWithFailure(new Problem('not_found'), request, reply);
  });
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  // A compressed file is another form of its original, not a separate file.
  const shared = { index: false, preCompressed: true, cacheControl: false } as const;
  await app.register(files, {
    ...shared,
    root: folder,
    wildcard: false,
    globIgnore: [`${assets}/**`, '**/*.{br,gz}'],
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  });
  // One route for all of them: a route for each of 900 took a tenth of the server's start-up time.
  await app.register(files, {
    ...shared,
    root: join(folder, assets),
    prefix: `/${assets}/`,
    decorateReply: false,
    allowedPath: (path) => !/\/$|\.(?:br|gz)$/.test(path),
    setHeaders: (reply) =>
      void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  });
}
