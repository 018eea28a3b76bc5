/** The other engines, in a folder of their own: 100 MB that an installation of Nazar does not need. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../peers');

/** `require` as seen from that folder. */
export const requirePeer = createRequire(join(folder, 'package.json'));

/** Installs what the lock file names, unless it is there. */
export function installPeers(): void {
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  console.error('installing the other engines');
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('the other engines could not be installed; see --no-peers');
}
