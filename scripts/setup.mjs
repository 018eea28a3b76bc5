/**
 * Makes a clone ready to run: dependencies, models, demo film, web build. Runs before `npm start`, `npm test` and the
 * others, on any Node from 20.20, and does nothing when nothing has changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bin, filesBelow, node24, refuse, root, run, timed } from './steps.mjs';

/** What was done last, and from what: beside what it describes, so that both go together. */
const stampFile = join(root, 'node_modules', '.nazar-setup.json');
const web = join(root, 'web');
const modelMaker = join(root, 'server', 'src', 'vision', 'setup', 'make-models.ts');
const demoMaker = join(root, 'server', 'src', 'commands', 'make-demo.ts');

function stamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(part) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ ...stamp(), ...part }));
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

function lockHash() {
  return hashOf([join(root, 'package-lock.json')]);
}

function webHash() {
  return hashOf(['web', 'contract/src', 'i18n'].flatMap((name) => filesBelow(join(root, name))));
}

function hasWeb() {
  return existsSync(join(web, 'vite.config.ts'));
}

/** What models and the demo film are made from, and what was made. */
function madeHash() {
  const folders = ['models', 'server/src/vision', 'server/src/commands'];
  const files = folders.flatMap((name) => filesBelow(join(root, name)));
  return hashOf([join(root, 'package-lock.json'), ...files]);
}

function needsInstall() {
  return stamp().lock !== lockHash();
}

function needsWeb() {
  return hasWeb() && (!existsSync(join(web, 'dist', 'index.html')) || stamp().web !== webHash());
}

/** Takes 0.05 s of processor time; to start the makers, which then find that nothing is to do, takes 0.5. */
function needsMaking() {
  return stamp().made !== madeHash();
}

function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const atLeast = (wantedMajor, wantedMinor) =>
    major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  if (!atLeast(20, 20)) {
    refuse(`Nazar needs Node 20.20 or newer to set itself up; this is ${process.version}.`);
  }
  const { platform, arch } = process;
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch)) {
    if (usesMusl()) {
      refuse(
        'Nazar has no binaries for this Linux, which uses musl (Alpine); use a Debian-based system or image.',
      );
    }
    return;
  }
  if (platform !== 'darwin') {
    refuse(
      `Nazar has no binaries for ${platform} on ${arch}; it runs on Linux (x64, arm64) and macOS.`,
    );
  }
  if (!atLeast(24, 7)) {
    refuse(
      `On ${platform} Nazar runs on your own Node, 24.7 or newer; this is ${process.version}.`,
    );
  }
}

function usesMusl() {
  if (process.platform !== 'linux') return false;
  process.report.excludeNetwork = true; // names of network peers are looked up otherwise
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** A second run at the same time waits. The lock is a listening socket, which ends with its process. */
async function locked(work) {
  const name = `nazar-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  // On Linux a name that is no file (leading zero byte); elsewhere a file, removed when no process listens.
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  for (let waited = false; ; waited = true) {
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(address, () => resolve(true));
    });
    if (free) return work().finally(() => server.close());
    if (!waited) console.log('another set-up is running here, waiting for it');
    await wait(200);
  }
}

/** npm itself, run by the Node that runs us: a PATH in flux while node_modules is replaced does not matter. */
async function install() {
  const npm = process.env.npm_execpath;
  const words = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'];
  words.push('--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error');
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const lock = lockHash();
  const { code, said } = await run(command, [...first, ...words]);
  if (code !== 0)
    refuse(`${said}\nThe dependencies could not be installed (npm ci, code ${code}).`);
  if (process.platform === 'linux' && !existsSync(join(bin, 'node'))) {
    refuse('npm left out Node 24 for this machine; run `npm config get omit` and allow optional.');
  }
  writeStamp({ lock });
}

/** Resolves with whether all were made; what was left out is tried again at the next start. */
async function makeModels() {
  const { code, said } = await run(node24(), [modelMaker]);
  if (code !== 0) refuse(`${said}\nThe models could not be made (code ${code}).`);
  if (said !== '') console.error(said.trim());
  return said === '';
}

/** Without the film everything works but the demo: no reason to refuse. Resolves with whether it is there. */
async function makeDemo() {
  const { code, said } = await run(node24(), [demoMaker]);
  if (code !== 0) console.error(`${said}\nThere is no demo camera: its film could not be made.`);
  else if (said !== '') console.log(said.trim());
  return code === 0;
}

async function make() {
  const hasModels = !existsSync(modelMaker) || (await makeModels());
  const hasDemo = !existsSync(demoMaker) || (await makeDemo());
  if (hasModels && hasDemo) writeStamp({ made: madeHash() });
}

async function buildWeb() {
  const hash = webHash();
  rmSync(join(web, 'dist'), { recursive: true, force: true });
  const { code, said } = await run(join(bin, 'vite'), ['build', '--logLevel', 'warn'], {
    cwd: web,
  });
  if (code !== 0) refuse(`${said}\nThe web pages could not be built (code ${code}).`);
  writeStamp({ web: hash });
}

export async function setUp() {
  checkMachine();
  if (needsInstall() || needsWeb()) {
    await locked(async () => {
      // Checked again: the process that had the lock before us may have done it.
      if (needsInstall()) await timed('dependencies', install);
      if (needsWeb()) await timed('web pages', buildWeb);
    });
  }
  if (needsMaking()) await locked(make);
}

await setUp();
