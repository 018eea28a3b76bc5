/**
 * The built web application. Files under `assets/` bear a hash in their name and are kept for ever; everything that
 * is no file and no API path is a page of the application, whose router reads the path. The build compresses what
 * compresses well (web/build/compress.ts); each is sent as the browser's `Accept-Encoding` prefers, and nothing is
 * compressed while somebody waits.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#lib/problem.ts';
import { replyWithFailure } from './replies.ts';

const apiPaths = /^\/(?:secure-api|token|healthz|camera\/list)(?:\/|$)/;
const page = 'index.html';

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
  await app.register(files, {
    root: folder,
    index: false,
    wildcard: false,
    // A compressed file is another form of its original, not a file of its own.
    globIgnore: ['**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
