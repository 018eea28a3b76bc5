/**
 * The modules that a server is made of, built in order and taken down in reverse. Only this file constructs them, so it
 * shows what each needs of the others.
 */
import {
  Activity,
  ActivityLog,
  dailyCheck,
  openVerification,
  startSealer,
  Warnings,
} from '#activity/activity.ts';
import { Accounts } from '#accounts/accounts.ts';
import { Alerts } from '#alerts/alerts.ts';
import { Analytics } from '#analytics/analytics.ts';
import { LogKinds } from '#analytics/log-kinds.ts';
import { Cameras, History } from '#cameras/cameras.ts';
import { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Mail } from '#mail/mail.ts';
import { Mqtt } from '#mqtt/mqtt.ts';
import { pushServiceJudge } from '#notifications/push/service-addresses.ts';
import { Notifications } from '#notifications/notifications.ts';
import { MaskingLimit, Media } from '#media/media.ts';
import { everywhere, policyOf } from '#media/protocol/own-addresses.ts';
import { verdictOf } from '#media/protocol/address-policy.ts';
import { Devices } from '#media/server/onvif/devices.ts';
import { multicast } from '#media/server/onvif/multicast.ts';
import { Probing } from '#media/server/probing/probing.ts';
import { Workers } from '#media/server/workers.ts';
import { Consents, Privacy } from '#privacy/privacy.ts';
import { Recordings } from '#recordings/recordings.ts';
import { Settings } from '#settings/settings.ts';
import { NamingFollower, Visits, type VisitPicture } from '#visits/visits.ts';
import { TrackedVisits } from '#visits/tracked-visits.ts';
import { ModelFollower } from '#system/model-follower.ts';
import { Models, servingPack } from '#system/models.ts';
import { SystemLog } from '#system/log/system-log.ts';
import { SupportBundle } from '#system/support/support-bundle.ts';
import { System } from '#system/system.ts';
import { installedPacks, modelsDir, Vision, wholePack, type FaceView } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { Demo } from './demo.ts';
import { CameraSync } from '#media/server/camera-sync.ts';
import { RecognitionPolicy } from '#settings/recognition-policy.ts';
import { enrolmentRightsOf, readersOf, scopeOfUser } from './rights.ts';
import type { ServerOptions } from './server-options.ts';
import { placesOf, supportParts } from './support.ts';
import { StateHistory } from '#media/server/state-history.ts';

/** Media hosts hold up to four cameras: they share 54 MB of a process, and a crash touches no more. */
const camerasPerHost = 4;

export type Modules = Awaited<ReturnType<typeof buildModules>>;

export async function buildModules(options: ServerOptions, stack: AsyncDisposableStack) {
  const basis = await buildBasis(options, stack);
  const vision = await buildVision(options, stack);
  const video = await buildVideo(options, stack, basis, vision);
  const recognition = await buildRecognition(options, stack, basis, video, vision);
  const around = buildAround(options, stack, { ...basis, vision, ...video, ...recognition });
  return { ...basis, vision, ...video, ...recognition, ...around };
}

type Basis = Awaited<ReturnType<typeof buildBasis>>;
type Video = Awaited<ReturnType<typeof buildVideo>>;
type Recognised = Awaited<ReturnType<typeof buildRecognition>>;

/** Builds the activity log, settings, and accounts. */
async function buildBasis(options: ServerOptions, stack: AsyncDisposableStack) {
  const { db, master, clock, log } = options;
  const activity = new Activity({ db, clock });
  const { logLines: lines = null, systemLogDays: days } = options;
  const systemLog = stack.use(await SystemLog.open({ db, activity, lines, days, clock, log }));
  const of = (module: string): Log => logOf(options, module);
  const warnings = new Warnings({ db, activity, clock, log: of('activity') });
  const onBroken = (sequence: number) =>
    warnings.raiseSoon({ kind: 'record_broken', details: { fault: 'cut', sequence } });
  const chain = { db, master, folder: options.auditDir, clock, log: of('activity') };
  stack.use(startSealer({ ...chain, onBroken }));
  const check = dailyCheck({ ...chain, warnings, days: options.auditDays });
  const verification = stack.use(await openVerification({ ...chain, activity, warnings }));
  const settings = stack.use(new Settings({ db, activity, clock, log: of('settings') }));
  const policy = stack.use(await RecognitionPolicy.open(settings, of('settings')));
  const mail = new Mail({ db, master, clock, log: of('mail'), route: options.mail ?? null });
  stack.use(mail.startOutboxSender());
  const { registration, publicUrl = null, provider = null, hashCost } = options;
  const accounts = stack.use(
    new Accounts({
      db,
      activity,
      settings,
      key: master.derive('accounts'),
      clock,
      log: of('accounts'),
      registration,
      mail,
      publicUrl,
      provider,
      hashCost,
    }),
  );
  return { activity, systemLog, warnings, check, verification, settings, policy, mail, accounts };
}

/** Each module says who it is; the system log has it as the source of a line. */
const logOf = ({ log }: ServerOptions, module: string): Log => log.child({ module });

/** Real processes use real time, whatever clock a test sets. */
const ofHosts = (options: ServerOptions, module: string) => {
  const { runDir, logsDir, hostVersion: version } = options;
  return { runDir, logsDir, version, clock: systemClock, log: logOf(options, module) } as const;
};

async function buildVision(options: ServerOptions, stack: AsyncDisposableStack) {
  const { db, addedModelsDir, preferredPackId: preferred, visionHosts: hosts } = options;
  const packDirs = [modelsDir, ...(addedModelsDir ? [addedModelsDir] : [])];
  const serving = await servingPack(db);
  const packs = await installedPacks(...packDirs);
  // Only the first start reads the preferred pack through.
  const first = async () => (preferred === undefined ? null : wholePack(packs, preferred));
  const pack = serving === null ? await first() : packs.find((one) => packKey(one) === serving);
  const chosen = pack ? { packId: pack.id } : {};
  return stack.use(
    await Vision.open({ ...ofHosts(options, 'vision'), hosts, packDirs, ...chosen }),
  );
}

/** Builds cameras, their media, and their recordings. */
async function buildVideo(
  options: ServerOptions,
  stack: AsyncDisposableStack,
  { activity }: Basis,
  vision: Vision,
) {
  const { db, master, clock, recordingFolders: folders } = options;
  const log = logOf(options, 'cameras');
  const key = master.derive('cameras');
  const healthOf = (cameraId: string) => media.health(cameraId);
  const recordingOf = (cameraId: string) => recordings.recordingOf(cameraId);
  const cameras = new Cameras({
    db,
    activity,
    key,
    clock,
    log,
    healthOf,
    recordingOf,
    record: (scope, cameraId, recording) =>
      recordings.policies.changeSettings(scope, cameraId, {
        continuousRecording: recording?.continuous === true,
        motionDetection: recording?.continuous === false,
        ...(recording && { retentionDays: recording.retentionDays }),
      }),
    judgeAddress: (address, port) => verdictOf(address, port, policyOf(reachOf(options))),
  });
  const workers = stack.use(new Workers(ofHosts(options, 'media')));
  const maskingLimit = new MaskingLimit(clock);
  const recordings = stack.use(
    await Recordings.open({
      db,
      activity,
      cameras,
      workers,
      maskingLimit,
      key: master.derive('recordings'),
      folders,
      openFolder: options.openRecordingFolder,
      clock,
      log: logOf(options, 'recordings'),
    }),
  );
  const reach = reachOf(options);
  const media = stack.use(
    new Media<FaceView>({
      ...ofHosts(options, 'media'),
      ...reach,
      visionSockets: () => vision.sockets,
      camerasPerHost,
      maskingLimit,
      peerPorts: options.peerPorts,
    }),
  );
  const cameraOf = (scope: Scope, id: string) => cameras.mustSee(scope, id);
  const history = stack.use(new History({ db, cameraOf, clock, log }));
  stack.use(new StateHistory({ media, history, clock }));
  await recordings.follow(media);
  const discovery = options.discovery ?? { to: multicast, waitMs: 3_000 };
  const asking = { cameras, workers, reach, clock: systemClock };
  const devices = new Devices({ ...asking, activity, discovery });
  const probing = new Probing({ ...asking, demoFilm: options.demo?.film ?? null });
  return { cameras, recordings, media, history, devices, probing };
}

/** Where cameras may be. */
const reachOf = ({
  allowLoopbackCameras,
  cameraNetworks,
  ownPorts,
  fileRoots,
  demo,
}: ServerOptions) => ({
  allowLoopback: allowLoopbackCameras,
  networks: cameraNetworks,
  ownPorts,
  fileRoots: [...fileRoots, ...(demo ? [demo.folder] : [])],
});

/** Builds people and visits. */
async function buildRecognition(
  options: ServerOptions,
  stack: AsyncDisposableStack,
  { activity, warnings, accounts, settings, policy }: Basis,
  { cameras }: Video,
  vision: Vision,
) {
  const { db, master, clock } = options;
  const log = logOf(options, 'sightings');
  const consents = new Consents({ db, activity, settings, clock });
  const faces = stack.use(
    await Faces.open({
      db,
      activity,
      key: master.derive('identities'),
      vision,
      enrolmentRightsOf: enrolmentRightsOf(accounts, cameras),
      warnings,
      withheld: () => consents.withheld(),
      minProbability: () => policy.minProbability,
      limits: () => settings.get('recognition'),
      clock,
      log: logOf(options, 'faces'),
    }),
  );
  const visits = new Visits({ db, faces, cameras, activity, clock, log });
  await visits.preparePartitions();
  const namings = stack.use(new NamingFollower({ db, log }));
  const keepsStrangers = async (): Promise<boolean> =>
    (await settings.get('privacy')).strangers === 'keep';
  const attributesOf = async ({ chip, packId, packVersion }: VisitPicture) => {
    const wanted = policy.attributes;
    const pack = packKey({ id: packId, version: packVersion });
    return wanted.length === 0 ? null : vision.attributes(chip, wanted, pack);
  };
  const { changed } = faces;
  const trackedVisits = stack.use(
    new TrackedVisits({ visits, changed, keepsStrangers, attributesOf, clock, log }),
  );
  const { preferredPackId } = options;
  const changing = { db, activity, vision, preferredPackId, clock };
  const parts = { faces, visits, warnings, log: logOf(options, 'system') };
  stack.use(await ModelFollower.open({ ...changing, ...parts }));
  const models = new Models(changing);
  return { consents, faces, visits, namings, trackedVisits, models };
}

/** Builds what reads all other modules, and the ingest. */
function buildAround(
  options: ServerOptions,
  stack: AsyncDisposableStack,
  modules: Basis & Video & Recognised & { readonly vision: Vision },
) {
  const { db, master, clock, development, demo: files } = options;
  const { activity, warnings, policy, cameras, media, faces, visits, vision, models } = modules;
  const demoFilm = files?.film ?? null;
  const ingest = stack.use(
    new CameraSync({ cameras, media, demoFilm, policy, clock, log: logOf(options, 'media') }),
  );
  const demo = new Demo({ files, cameras, faces });
  const visionHosts = async () => {
    const hosts = await vision.health();
    return { wanted: hosts.length, answering: hosts.filter(({ stats }) => stats).length };
  };
  const system = stack.use(
    new System({
      db,
      clock,
      isRecordBroken: () => warnings.isLiving('record_broken'),
      models: () => models.state(),
      visionHosts,
      pictures: () => ingest.pictures(),
      fit: () => modules.recordings.fit(),
      visible: (scope, ids) => cameras.visibleAmong(scope, ids),
    }),
  );
  const analytics = new Analytics({ db, cameras, visits, clock });
  const alerts = stack.use(
    new Alerts({
      ...modules,
      db,
      scopeOfUser: scopeOfUser(readersOf(modules.accounts, cameras)),
      clock,
      log: logOf(options, 'alerts'),
    }),
  );
  const notifications = stack.use(
    new Notifications({
      ...modules,
      db,
      alerts,
      key: master.derive('webhooks'),
      wireClock: systemClock,
      webhookPolicy: (allowLoopback) =>
        policyOf({ allowLoopback, networks: everywhere, ownPorts: options.ownPorts }),
      mayBePushService: pushServiceJudge(options.pushNetworks, (reach) =>
        policyOf({ ...reach, ownPorts: options.ownPorts }),
      ),
      publicUrl: options.publicUrl ?? null,
      clock,
      log: logOf(options, 'notifications'),
    }),
  );
  const mqtt = stack.use(
    new Mqtt({
      ...modules,
      db,
      key: options.master.derive('mqtt'),
      alerts,
      ownPorts: options.ownPorts,
      version: options.version,
      clock,
      log: logOf(options, 'mqtt'),
    }),
  );
  const activityLog = new ActivityLog({ db, activity, clock, development });
  const folder = options.privacyDir;
  const privacy = stack.use(
    new Privacy({ ...modules, alerts, db, folder, clock, log: logOf(options, 'privacy') }),
  );
  const logs = buildLogs(options, { ...modules, analytics, system, activityLog });
  const built = { ingest, demo, system, analytics, alerts, notifications, mqtt };
  return { ...built, activityLog, privacy, ...logs };
}

/** Builds what reads several logs at once. */
function buildLogs(
  options: ServerOptions,
  modules: Basis &
    Video &
    Recognised & {
      readonly analytics: Analytics;
      readonly system: System;
      readonly activityLog: ActivityLog;
    },
) {
  const { clock } = options;
  const { activity, accounts, cameras, systemLog } = modules;
  const readers = readersOf(accounts, cameras);
  const seenBy = (scope: Scope, userId: string | undefined) => readers.seenBy(scope, userId);
  const logKinds = new LogKinds({ ...modules, seenBy, clock });
  const parts = supportParts(options, modules);
  const log = logOf(options, 'system');
  const places = () => placesOf(options, modules.cameras);
  const support = new SupportBundle({ activity, systemLog, parts, places, clock, log });
  return { logKinds, support };
}
