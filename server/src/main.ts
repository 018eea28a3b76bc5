/**
 * The server process: reads the configuration, opens the data folder and the database, builds the server,
 * listens, and prints its address. `launch.ts` starts it and restarts it after a crash.
 */
import { url as inspectorUrl } from 'node:inspector';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { socketFolder } from '#db/folders.ts';
import { openDatabase } from '#db/open.ts';
import { openRootKey } from '#db/root-key.ts';
import { readerLanguage } from '#http/sentences.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { keepCompiled } from '#lib/compile-cache.ts';
import { createLog, LogLines, standardOutput } from '#lib/log.ts';
import { Refusal, refusalExitCode } from '#lib/refusal.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { linesShown, shown } from '#lib/terminal/terminal-text.ts';
import { addedModelsDir, preferredPackId } from '#vision/vision.ts';
import { readConfig, redacted, supportFacts, type Config } from '#config/config.ts';
import { keyFileOf, openDataFolder, recordingFoldersOf } from '#config/data-folder.ts';
import { addDemoAdministrator } from '#app/demo.ts';
import { findDemo } from '#app/demo-files.ts';
import { hostVersion } from '#config/host-version.ts';
import { hostsOf, listen, openCertificate } from '#app/listening.ts';
import { createServer, type Server } from './server.ts';

const root = join(import.meta.dirname, '../..');
const webDir = join(root, 'web/dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

const alreadySetUp =
  'This installation is set up already, so --demo changes nothing; the demo camera can be added in the set-up of a new one.';

try {
  await run(readConfig(process.env));
} catch (error) {
  // A refusal is a sentence for the user; anything else is a bug and shows its stack.
  if (error instanceof Refusal) complain(linesShown(`${error.message}\n`));
  else complain(linesShown(`${error instanceof Error ? error.stack : String(error)}\n`));
  process.exit(error instanceof Refusal ? refusalExitCode : 1);
}
process.exit(0);

async function run(config: Config): Promise<void> {
  refuseInspector();
  const stopped = whenStopped();
  const logLines = new LogLines();
  const log = createLog(config.logLevel, standardOutput(), logLines);
  using folder = openDataFolder(config);
  if (folder.notice !== null) print(linesShown(`${folder.notice}\n`));
  log.info({ ...redacted(config), version, folder: folder.path }, 'starting');
  await using certificate = await openCertificate(
    config,
    folder.path,
    clock,
    log.child({ module: 'http' }),
  );
  const options = {
    url: config.databaseUrl,
    dataFolder: folder.path,
    clock,
    log: log.child({ module: 'database' }),
    exclusive: true,
  };
  await using database = await openDatabase(options);
  const { db } = database;
  const master = await openRootKey({ db, clock, path: keyFileOf(config, folder) });
  await using server = await createServer({
    version,
    configuration: supportFacts(config),
    hostVersion: hostVersion(version),
    db,
    master,
    clock,
    log,
    logLines,
    runDir: socketFolder(folder.run, null),
    logsDir: folder.logs,
    auditDays: config.auditDays,
    systemLogDays: config.systemLogDays,
    auditDir: join(folder.path, 'audit'),
    recordingFolders: recordingFoldersOf(config, folder),
    privacyDir: join(folder.path, 'privacy'),
    webDir: existsSync(join(webDir, 'index.html')) ? webDir : null,
    demo: findDemo(),
    fileRoots: [],
    hosts: hostsOf(config),
    trustProxy: config.trustProxy,
    certificate,
    requestsPerMinute: config.requestsPerMinute,
    registration: config.registration,
    development: config.development,
    mail: config.mail,
    publicUrl: config.publicUrl,
    provider: config.provider,
    addedModelsDir: addedModelsDir(folder.path),
    preferredPackId,
    visionHosts: config.visionHosts,
    peerPorts: config.peerPorts,
    allowLoopbackCameras: config.cameraAllowLoopback,
    cameraNetworks: config.cameraNetworks,
    pushNetworks: config.pushNetworks,
    ownPorts: [config.port],
  });
  const wantsDemo = process.argv.includes('--demo');
  const awaitsSetup = await server.accounts.awaitsSetup();
  if (wantsDemo && awaitsSetup) await setUpDemo(server);
  const origin = await listen(server.app, config);
  if (wantsDemo && !awaitsSetup) print(shown`${alreadySetUp}\n`);
  await announce(server, origin);
  keepCompiled();
  if (certificate?.isSelfSigned) {
    print(
      shown`Browsers warn about its certificate, which Nazar made itself. Compare its SHA-256 fingerprint before you accept it:\n${certificate.fingerprint}\n`,
    );
  }
  const takenOver = database.lock?.takenOver ?? new Promise<never>(() => undefined);
  const refusal = await Promise.race([stopped.then(() => null), takenOver]);
  log.info('stopping');
  if (refusal) throw refusal;
}

/** The inspector allows reading keys and passwords from memory. `npm run dev` may have one. */
function refuseInspector(): void {
  if (inspectorUrl() === undefined || process.send === undefined) return;
  throw new Refusal('Nazar does not run with --inspect; take it out of NODE_OPTIONS.');
}

/** Resolves at a signal, or when the launcher that started this process ends. */
function whenStopped(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  process.once('disconnect', resolve);
  return promise;
}

/** Makes an administrator, the demo camera and three of its people; the password is shown only this once. */
async function setUpDemo({ accounts, demo }: Server): Promise<void> {
  if (!demo.available) {
    throw new Refusal('The demo film could not be made here; start without --demo.');
  }
  const { email, password, scope } = await addDemoAdministrator(accounts);
  print(
    shown`DEMO: the camera and the people in it come from sample photos; do not use this installation for anything real.\n  e-mail   ${email}\n  password ${password}\n`,
  );
  await demo.add(scope, readerLanguage(process.env['LANG']), true);
}

async function announce({ accounts }: Server, origin: string): Promise<void> {
  if (!(await accounts.awaitsSetup())) {
    print(shown`Nazar is ready: ${origin}\n`);
    return;
  }
  const code = await accounts.newSetupCode();
  print(
    shown`Nazar is ready. Open this link once to set it up (valid for 24 hours):\n${origin}/setup?code=${code}\n`,
  );
}
