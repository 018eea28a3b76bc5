/**
 * `npm run dev`: the server, restarted when a file of it changes, and the pages by Vite, which replaces
 * what changed in the open browser and passes everything else on to the server.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import './setup.mjs';
import { environment, node24, root } from './steps.mjs';

const port = process.env.NAZAR_PORT ?? '8080';
const target = `http://127.0.0.1:${port}`;

const watched = ['server/src', 'contract/src', 'i18n'].map(
  (path) => `--watch-path=${join(root, path)}`,
);
const server = spawn(node24(), [...watched, 'server/src/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  env: environment({ NAZAR_DEVELOPMENT: '1' }),
  stdio: 'inherit',
});

const { createServer } = await import('vite');
// The server refuses callers from another origin; here they are the developer's own pages.
const toServer = { target, ws: true, changeOrigin: true, headers: { origin: target } };
const pages = await createServer({
  root: join(root, 'web'),
  server: { proxy: { '/secure-api': toServer, '/token': toServer, '/healthz': toServer } },
});
await pages.listen();
pages.printUrls();

let leaving = false;
async function leave(signal) {
  if (leaving) return;
  leaving = true;
  server.kill(signal);
  await pages.close();
}
process.on('SIGINT', () => void leave('SIGINT'));
process.on('SIGTERM', () => void leave('SIGTERM'));
server.once('exit', (code) => {
  process.exitCode = code ?? 0;
  void leave('SIGTERM');
});
