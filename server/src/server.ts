/**
 * Everything the server is made of, built in order and taken down in reverse. The only file that constructs
 * modules: what each needs of the others is to be read here.
 */
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Route } from '@nazar/contract/route.ts';
import { Activity, ActivityLog, dailyCheck, startSealer, Warnings } from '#activity/activity.ts';
import { activityEndpoints, warningEndpoints } from '#activity/routes.ts';
import { Accounts, type ProviderOptions } from '#accounts/accounts.ts';
import { administrationEndpoints } from '#accounts/administration/routes.ts';
import { recoveryEndpoints } from '#accounts/recovery/routes.ts';
import { securityEndpoints } from '#accounts/security/routes.ts';
import { signOnEndpoints } from '#accounts/sign-on/routes.ts';
import { proofEndpoints } from '#accounts/proof/routes.ts';
import {
  accountEndpoints,
  clientOf,
  rightsEndpoints,
  siteOfRequest,
  userEndpoints,
} from '#accounts/routes.ts';
import { passkeyEndpoints } from '#accounts/passkeys/routes.ts';
import { twoFactorEndpoints } from '#accounts/second-factor/routes.ts';
import { Analytics } from '#analytics/analytics.ts';
import { analyticsEndpoints } from '#analytics/routes.ts';
import { Cameras, History } from '#cameras/cameras.ts';
import {
  accessEndpoints,
  cameraEndpoints,
  historyEndpoints,
  zoneEndpoints,
} from '#cameras/routes.ts';
import type { Database } from '#db/database.ts';
import { FaceReads, Faces, Recognition, Registry } from '#faces/faces.ts';
import { faceEndpoints, recognitionEndpoints } from '#faces/routes.ts';
import type { Scope, ScopeOf } from '#http/scope.ts';
import { serveAssets } from '#http/assets.ts';
import type { Certificate } from '#http/certificate.ts';
import { createHttp } from '#http/http.ts';
import type { Prove } from '#http/prove.ts';
import { RequestLimits } from '#http/request-limits.ts';
import type { Doors } from '#http/serve.ts';
import { systemClock, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { Mail, type MailRoute } from '#mail/mail.ts';
import { MaskingRoom, Media, type PeerPorts } from '#media/media.ts';
import { Probing } from '#media/probing/probing.ts';
import { probingEndpoints } from '#media/probing/routes.ts';
import { Devices, type DevicesOptions } from '#media/onvif/devices.ts';
import { multicast } from '#media/onvif/multicast.ts';
import { deviceEndpoints } from '#media/onvif/routes.ts';
import { mediaEndpoints } from '#media/routes.ts';
import { Workers } from '#media/worker/workers.ts';
import { Tickets } from '#media/live/tickets.ts';
import { Consents, Privacy } from '#privacy/privacy.ts';
import { privacyEndpoints } from '#privacy/routes.ts';
import { Recordings, type RecordingFolder } from '#recordings/recordings.ts';
import { exportEndpoints } from '#recordings/exports/routes.ts';
import { playbackEndpoints } from '#recordings/playback/routes.ts';
import { recordingEndpoints } from '#recordings/routes.ts';
import { settingsEndpoints } from '#settings/routes.ts';
import { Settings } from '#settings/settings.ts';
import { sightingEndpoints } from '#sightings/routes.ts';
import { Sightings } from '#sightings/sightings.ts';
import { Visits } from '#sightings/visits.ts';
import { ModelFollower } from '#system/model-follower.ts';
import { Models, servingPack } from '#system/models.ts';
import { modelEndpoints, systemEndpoints } from '#system/routes.ts';
import { System } from '#system/system.ts';
import { installedPacks, modelsDir, packKey, Vision, type FaceView } from '#vision/vision.ts';
import { Demo, demoEndpoints } from './demo.ts';
import type { DemoFiles } from './demo-files.ts';
import { DrawnViews } from './drawn-views.ts';
import { FaceDetector } from './face-detector.ts';
import { Housekeeping } from './housekeeping.ts';
import { Ingest } from './ingest.ts';
import { Audience } from './audience.ts';
import { HlsViews } from './hls-views.ts';
import { liveWayEndpoints } from './live-ways.ts';
import { Live } from './live.ts';
import { LowLatency } from './low-latency.ts';
import type { NamedBox } from './named-box.ts';
import { News } from './news.ts';
import { Denials } from './denials.ts';
import { Pipeline } from './pipeline.ts';
import { Watch } from './watch.ts';
import { RecognitionPolicy } from './recognition-policy.ts';
import { Rights } from './rights.ts';
import { StateHistory } from './state-history.ts';

/** Media hosts hold up to four cameras: they share 54 MB of a process, and a crash touches no more. */
const camerasPerHost = 4;

export interface ServerOptions {
  readonly version: string;
  /** Of the code that host processes run: a host of another one is not adopted. */
  readonly hostVersion: string;
  readonly db: Database;
  readonly master: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Sockets of our processes lie here (0700). */
  readonly runDir: string;
  readonly logsDir: string;
  /** How long the record is kept (C-804). */
  readonly auditDays: number;
  /** Anchors of the record lie here, outside the database (C-802). */
  readonly auditDir: string;
  /** Folders that recordings lie in; the first is the usual one. */
  readonly recordingFolders: readonly RecordingFolder[];
  /** Ids of who was erased lie here, outside the database (C-1005). */
  readonly privacyDir: string;
  /** Built web application; null: none is served. */
  readonly webDir: string | null;
  /** What the demo camera plays; null where it could not be made. */
  readonly demo: DemoFiles | null;
  /** Where it is asked which cameras there are; absent: this network. */
  readonly discovery?: DevicesOptions['discovery'];
  /** Folders that films may be played from. */
  readonly fileRoots: readonly string[];
  /** Names this installation answers to (C-704). */
  readonly hosts: readonly string[];
  readonly trustProxy: readonly string[];
  /** For TLS of our own; absent: plain HTTP. */
  readonly certificate?: Certificate | null;
  /** Of one account (C-714); absent: as many as it likes, which only tests want. */
  readonly requestsPerMinute?: number | null;
  /** Who may register; null: what the first-run wizard was told. */
  readonly registration: 'open' | 'approval' | 'closed' | null;
  /** Lets everybody make mock entries of the activity log. */
  readonly development: boolean;
  /** How letters leave; absent: none do. */
  readonly mail?: MailRoute | null;
  /** Where people reach this installation; absent: nobody said. */
  readonly publicUrl?: string | null;
  /** Where else people may sign in; absent: nowhere. */
  readonly provider?: ProviderOptions | null;
  /** Where packs of models lie that somebody added; absent: nobody did. */
  readonly addedModelsDir?: string;
  /** 0: nothing is recognised, which only tests want. */
  readonly visionHosts: number;
  /** Where browsers reach low-latency views. */
  readonly peerPorts: PeerPorts;
  readonly allowLoopbackCameras: boolean;
  /** Ports of ours, which are never a camera's. */
  readonly ownPorts: readonly number[];
}

export interface Server extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly activityLog: ActivityLog;
  readonly warnings: Warnings;
  readonly cameras: Cameras;
  readonly recordings: Recordings;
  readonly faces: Faces;
  readonly sightings: Sightings;
  readonly privacy: Privacy;
  readonly demo: Demo;
  /** Every route that is served. */
  readonly routes: readonly Route[];
}

export async function createServer(options: ServerOptions): Promise<Server> {
  await using stack = new AsyncDisposableStack();
  const parts = await buildModules(options, stack);
  const { activity, settings, accounts, cameras, media, faces, sightings } = parts;
  const { clock, log } = options;
  const rights = new Rights(accounts, cameras);
  const tickets = new Tickets(options.master, clock);
  const scopeOf: ScopeOf = (asker, ip) => rights.ofAsker(asker, ip);
  const audience = stack.use(new Audience({ cameras, activity, scopeOf, clock, log }));
  const news = stack.use(
    new News({
      cameras,
      faces,
      media,
      sightings,
      scopeOf,
      scopeOfToken: (access, seeAs, request) => rights.ofSocket(access, seeAs, clientOf(request)),
      clock,
      log,
    }),
  );
  const { hosts, trustProxy, certificate = null, requestsPerMinute = null } = options;
  const limits = requestsPerMinute === null ? null : new RequestLimits(clock, requestsPerMinute);
  const app = await createHttp({ log, hosts, trustProxy, clock, certificate, limits });
  stack.defer(() => app.close());
  const denials = new Denials(parts.warnings, clock);
  const doors: Doors = {
    app,
    identify: (request) => rights.ofRequest(request),
    identifyTicket: (request, ticket, cameraId) =>
      rights.ofTicket(request, tickets.open(ticket, cameraId)),
    awaitsSetup: () => accounts.awaitsSetup(),
    limits,
    denied: (scope, code) => denials.count(scope, code),
    served: [],
  };
  bindRoutes(doors, parts, tickets, options);
  playbackEndpoints(doors, parts.recordings, scopeOf);
  exportEndpoints(doors, parts.recordings.exports, scopeOf);
  const registry = new Registry(faces);
  recognitionEndpoints(doors, faces, new Recognition(parts), registry);
  const facesOf = (id: string): readonly NamedBox[] => detector.facesOf(id);
  const drawn = stack.use(new DrawnViews({ media, audience, facesOf, clock }));
  const detector = new FaceDetector({ cameras, registry, activity, views: drawn });
  const hls = stack.use(new HlsViews({ media, audience, clock }));
  liveWayEndpoints(doors, { cameras, drawn, hls, tickets });
  detector.bind(doors);
  const ended = accounts.sessionEnded.on(({ sessionId }) => {
    audience.endSession(sessionId);
    news.endSession(sessionId);
  });
  stack.use(ended);
  new Live({ media, audience, tickets, scopeOf, log }).bind(doors);
  stack.use(new LowLatency({ media, audience, clock })).bind(doors);
  news.bind(doors);
  await serveAssets(app, options.webDir);
  stack.use(new Pipeline({ ...parts, audience, detector, log }));
  const chores = {
    partitions: () => sightings.preparePartitions(),
    tokens: () => accounts.deleteExpiredTokens(),
    record: (signal: AbortSignal) => parts.check.run(signal),
    sessions: () => accounts.endOverdueSessions(),
    consent: () => parts.privacy.applyConsent(),
    retention: () => parts.privacy.removeOld(),
    erasures: () => parts.privacy.runErasures(),
    history: () => parts.history.removeOld(),
  };
  stack.use(new Housekeeping({ chores, clock, log }));
  stack.use(startWatch(parts, options));
  // What an earlier run did not finish.
  void parts.privacy.runErasures();
  await parts.ingest.sync();
  const built = stack.move();
  return {
    app,
    settings,
    activityLog: parts.activityLog,
    warnings: parts.warnings,
    accounts,
    cameras,
    recordings: parts.recordings,
    faces,
    sightings,
    privacy: parts.privacy,
    demo: parts.demo,
    routes: doors.served,
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

type Parts = Awaited<ReturnType<typeof buildModules>>;

async function buildModules(options: ServerOptions, stack: AsyncDisposableStack) {
  const { db, master, clock, log, hostVersion, runDir, logsDir } = options;
  const activity = new Activity({ db, clock });
  const warnings = new Warnings({ db, activity, clock, log });
  const onBroken = (sequence: number) =>
    warnings.raiseSoon({ kind: 'record_broken', details: { fault: 'cut', sequence } });
  const chain = { db, master, folder: options.auditDir, clock, log };
  stack.use(startSealer({ ...chain, onBroken }));
  const check = dailyCheck({ ...chain, warnings, days: options.auditDays });
  const settings = stack.use(new Settings({ db, activity, clock, log }));
  const policy = stack.use(await RecognitionPolicy.open(settings, log));
  const mail = new Mail({ db, master, clock, log, route: options.mail ?? null });
  stack.use(mail.startPostman());
  const { registration, publicUrl = null, provider = null } = options;
  const accountKey = master.derive('accounts');
  const accounts = stack.use(
    new Accounts({
      db,
      activity,
      settings,
      key: accountKey,
      clock,
      log,
      registration,
      mail,
      publicUrl,
      provider,
    }),
  );
  // Real processes live in real time, whatever hour a test sets.
  const hostFolders = { runDir, logsDir, version: hostVersion, clock: systemClock, log };
  const packDirs = [modelsDir, ...(options.addedModelsDir ? [options.addedModelsDir] : [])];
  const serving = await servingPack(db);
  const pack = installedPacks(...packDirs).find((one) => packKey(one) === serving);
  const chosen = pack ? { packId: pack.id } : {};
  const vision = stack.use(
    new Vision({ ...hostFolders, hosts: options.visionHosts, packDirs, ...chosen }),
  );
  const healthOf = (cameraId: string) => media.health(cameraId);
  const isRecording = (cameraId: string) => recordings.isRecording(cameraId);
  const cameraKey = master.derive('cameras');
  const cameras = new Cameras({
    db,
    activity,
    key: cameraKey,
    clock,
    log,
    healthOf,
    isRecording,
  });
  const workers = stack.use(new Workers({ clock: systemClock, log }));
  const room = new MaskingRoom(clock);
  const recordings = stack.use(
    await Recordings.open({
      db,
      activity,
      cameras,
      workers,
      room,
      key: master.derive('recordings'),
      folders: options.recordingFolders,
      clock,
      log,
    }),
  );
  const reach = {
    allowLoopback: options.allowLoopbackCameras,
    allowPublic: false,
    ownPorts: options.ownPorts,
    fileRoots: [...options.fileRoots, ...(options.demo ? [options.demo.folder] : [])],
  };
  const media = stack.use(
    new Media<FaceView>({
      ...hostFolders,
      ...reach,
      visionSockets: () => vision.sockets,
      camerasPerHost,
      room,
      peerPorts: options.peerPorts,
    }),
  );
  const cameraOf = (scope: Scope, id: string) => cameras.mustSee(scope, id);
  const history = stack.use(new History({ db, cameraOf, clock, log }));
  stack.use(new StateHistory({ media, history, clock }));
  await recordings.follow(media);
  const consents = new Consents({ db, activity, settings, clock });
  const faces = stack.use(
    await Faces.open({
      db,
      activity,
      key: master.derive('identities'),
      vision,
      withheld: () => consents.withheld(),
      minProbability: () => policy.minProbability,
      clock,
      log,
    }),
  );
  const sightings = new Sightings({ db, faces, activity, clock, log });
  await sightings.preparePartitions();
  const keepsStrangers = async (): Promise<boolean> =>
    (await settings.get('privacy')).strangers === 'keep';
  const visits = stack.use(
    new Visits({ sightings, changed: faces.changed, keepsStrangers, clock, log }),
  );
  stack.use(await ModelFollower.open({ db, activity, vision, faces, sightings, clock, log }));
  const models = new Models({ db, activity, vision, clock });
  const demoFilm = options.demo?.film ?? null;
  const discovery = options.discovery ?? { to: multicast, waitMs: 3_000 };
  const devices = new Devices({
    cameras,
    activity,
    workers,
    reach,
    discovery,
    clock: systemClock,
  });
  const probing = new Probing({ cameras, workers, reach, demoFilm, clock: systemClock });
  const ingest = stack.use(new Ingest({ cameras, media, demoFilm, policy, log }));
  const demo = new Demo({ files: options.demo, cameras, faces });
  const system = stack.use(
    new System({
      db,
      clock,
      isRecordBroken: () => warnings.isLiving('record_broken'),
      models: () => models.state(),
      visionHosts: async () => {
        const hosts = await vision.health();
        return { wanted: hosts.length, answering: hosts.filter(({ stats }) => stats).length };
      },
      pictures: () => ingest.pictures(),
    }),
  );
  const analytics = new Analytics({ db, cameras, clock });
  const activityLog = new ActivityLog({ db, activity, clock, development: options.development });
  const privacy = stack.use(
    new Privacy({
      db,
      activity,
      accounts,
      faces,
      sightings,
      settings,
      consents,
      folder: options.privacyDir,
      clock,
      log,
    }),
  );
  return {
    activity,
    activityLog,
    warnings,
    check,
    settings,
    policy,
    accounts,
    vision,
    media,
    cameras,
    history,
    recordings,
    faces,
    sightings,
    visits,
    models,
    ingest,
    probing,
    devices,
    system,
    analytics,
    privacy,
    demo,
  };
}

/** C-808: what administrators are warned of that shows between requests. */
function startWatch({ warnings, ingest, accounts }: Parts, options: ServerOptions): Watch {
  accounts.suspected.on(({ kind, userId }) => warnings.raiseSoon({ kind, subject: userId }));
  const { clock, log, auditDir } = options;
  return new Watch({
    warnings,
    pictures: () => ingest.pictures(),
    folder: dirname(auditDir),
    clock,
    log,
  });
}

function bindRoutes(doors: Doors, parts: Parts, tickets: Tickets, options: ServerOptions): void {
  const { activity, settings, accounts, cameras, media, faces, sightings } = parts;
  const { analytics, privacy, system, demo } = parts;
  accountEndpoints(doors, accounts, demo.available);
  userEndpoints(doors, accounts);
  administrationEndpoints(doors, accounts, (scope, id) => cameras.hasMadeVisible(scope, id));
  signOnEndpoints(doors, accounts);
  twoFactorEndpoints(doors, accounts);
  passkeyEndpoints(doors, accounts);
  proofEndpoints(doors, accounts);
  recoveryEndpoints(doors, accounts);
  securityEndpoints(doors, accounts);
  activityEndpoints(doors, parts.activityLog);
  warningEndpoints(doors, parts.warnings);
  rightsEndpoints(doors, accounts);
  const prove: Prove = (scope, proof, raw) =>
    accounts.proofs.prove(scope, proof, siteOfRequest(raw));
  settingsEndpoints(doors, settings, prove);
  demoEndpoints(doors, demo);
  cameraEndpoints(doors, cameras);
  accessEndpoints(doors, cameras);
  historyEndpoints(doors, parts.history);
  zoneEndpoints(doors, cameras);
  probingEndpoints(doors, parts.probing);
  deviceEndpoints(doors, parts.devices);
  recordingEndpoints(doors, parts.recordings, prove);
  mediaEndpoints(doors, { media, cameras, activity, tickets, clock: options.clock });
  const reads = new FaceReads(faces, activity);
  faceEndpoints(doors, faces, reads, (scope, id) => sightings.seenFace(scope, id));
  sightingEndpoints(doors, sightings, reads);
  analyticsEndpoints(doors, analytics);
  privacyEndpoints(doors, privacy);
  systemEndpoints(doors, system, options.version);
  modelEndpoints(doors, parts.models);
}
