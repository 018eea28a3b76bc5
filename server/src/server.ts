/**
 * Everything the server is made of, built in order and taken down in reverse. The only file that constructs
 * modules: what each needs of the others is to be read here.
 */
import type { FastifyInstance } from 'fastify';
import type { Route } from '@nazar/contract/route.ts';
import { Activity, startSealer } from '#activity/activity.ts';
import { Accounts, type Client } from '#accounts/accounts.ts';
import { accountEndpoints, bearerOf, clientOf, userEndpoints } from '#accounts/routes.ts';
import { Analytics } from '#analytics/analytics.ts';
import { analyticsEndpoints } from '#analytics/routes.ts';
import { Cameras } from '#cameras/cameras.ts';
import { cameraEndpoints } from '#cameras/routes.ts';
import type { Database } from '#db/database.ts';
import { Faces } from '#faces/faces.ts';
import { faceEndpoints } from '#faces/routes.ts';
import { serveAssets } from '#http/assets.ts';
import { createHttp } from '#http/http.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import type { Doors } from '#http/serve.ts';
import { systemClock, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { Media } from '#media/media.ts';
import { mediaEndpoints } from '#media/routes.ts';
import { Tickets } from '#media/tickets.ts';
import { sightingEndpoints } from '#sightings/routes.ts';
import { Sightings } from '#sightings/sightings.ts';
import { Visits } from '#sightings/visits.ts';
import { systemEndpoints } from '#system/routes.ts';
import { System } from '#system/system.ts';
import { Vision, type FaceView } from '#vision/vision.ts';
import { Demo, demoEndpoints } from './demo.ts';
import type { DemoFiles } from './demo-files.ts';
import { Housekeeping } from './housekeeping.ts';
import { Ingest } from './ingest.ts';
import { Live } from './live.ts';
import { News } from './news.ts';
import { Pipeline } from './pipeline.ts';

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
  /** Anchors of the record lie here, outside the database (C-802). */
  readonly auditDir: string;
  /** Built web application; null: none is served. */
  readonly webDir: string | null;
  /** What the demo camera plays; null where it could not be made. */
  readonly demo: DemoFiles | null;
  /** Folders that films may be played from. */
  readonly fileRoots: readonly string[];
  /** Names this installation answers to (C-704). */
  readonly hosts: readonly string[];
  readonly trustProxy: readonly string[];
  /** Who may register; null: what the first-run wizard was told. */
  readonly registration: 'open' | 'approval' | 'closed' | null;
  /** 0: nothing is recognised, which only tests want. */
  readonly visionHosts: number;
  readonly allowLoopbackCameras: boolean;
  /** Ports of ours, which are never a camera's. */
  readonly ownPorts: readonly number[];
}

export interface Server extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly sightings: Sightings;
  readonly demo: Demo;
  /** Every route that is served. */
  readonly routes: readonly Route[];
}

export async function createServer(options: ServerOptions): Promise<Server> {
  await using stack = new AsyncDisposableStack();
  const parts = await buildModules(options, stack);
  const { activity, accounts, cameras, media, faces, sightings } = parts;
  const { clock, log } = options;
  const rights = createRights(accounts);
  const tickets = new Tickets(options.master, clock);
  const live = stack.use(
    new Live({ media, cameras, activity, tickets, scopeOf: rights.scopeOfSession, clock, log }),
  );
  const news = stack.use(
    new News({
      cameras,
      faces,
      media,
      sightings,
      scopeOf: rights.scopeOfSession,
      scopeOfToken: (access, request) => rights.scopeOfToken(access, clientOf(request)),
      clock,
      log,
    }),
  );
  const app = await createHttp({ log, hosts: options.hosts, trustProxy: options.trustProxy });
  stack.defer(() => app.close());
  const doors: Doors = {
    app,
    identify: (request) => rights.scopeOfToken(bearerOf(request), clientOf(request)),
    awaitsSetup: () => accounts.awaitsSetup(),
    served: [],
  };
  bindRoutes(doors, parts, tickets, options);
  live.bind(doors);
  news.bind(doors);
  await serveAssets(app, options.webDir);
  stack.use(new Pipeline({ ...parts, live, log }));
  const chores = {
    partitions: () => sightings.preparePartitions(),
    tokens: () => accounts.deleteExpiredTokens(),
  };
  stack.use(new Housekeeping({ chores, clock, log }));
  await parts.ingest.sync();
  const built = stack.move();
  return {
    app,
    accounts,
    sightings,
    demo: parts.demo,
    routes: doors.served,
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

type Parts = Awaited<ReturnType<typeof buildModules>>;

async function buildModules(options: ServerOptions, stack: AsyncDisposableStack) {
  const { db, master, clock, log, hostVersion, runDir, logsDir } = options;
  const activity = new Activity({ db, clock });
  stack.use(startSealer({ db, master, folder: options.auditDir, clock, log }));
  const { registration } = options;
  const accounts = new Accounts({ db, activity, clock, log, registration });
  // Real processes live in real time, whatever hour a test sets.
  const hostFolders = { runDir, logsDir, version: hostVersion, clock: systemClock, log };
  const vision = stack.use(new Vision({ ...hostFolders, hosts: options.visionHosts }));
  const media = stack.use(
    new Media<FaceView>({
      ...hostFolders,
      allowLoopback: options.allowLoopbackCameras,
      ownPorts: options.ownPorts,
      fileRoots: [...options.fileRoots, ...(options.demo ? [options.demo.folder] : [])],
      visionSockets: () => vision.sockets,
      camerasPerHost,
    }),
  );
  const healthOf = (cameraId: string) => media.health(cameraId);
  const cameras = new Cameras({
    db,
    activity,
    key: master.derive('cameras'),
    clock,
    log,
    healthOf,
  });
  const faces = stack.use(
    await Faces.open({ db, activity, key: master.derive('identities'), vision, clock, log }),
  );
  const sightings = new Sightings({ db, faces, clock, log });
  await sightings.preparePartitions();
  const visits = stack.use(new Visits({ sightings, clock, log }));
  const demoFilm = options.demo?.film ?? null;
  const ingest = stack.use(new Ingest({ cameras, media, demoFilm, log }));
  const demo = new Demo({ files: options.demo, cameras, faces });
  const system = stack.use(
    new System({
      db,
      clock,
      visionHosts: async () => {
        const hosts = await vision.health();
        return { wanted: hosts.length, answering: hosts.filter(({ stats }) => stats).length };
      },
      cameras: () => {
        const wanted = [...ingest.wanted];
        const live = wanted.filter((id) => media.health(id).state === 'live');
        return { wanted: wanted.length, live: live.length };
      },
    }),
  );
  const analytics = new Analytics({ db, cameras, clock });
  return {
    activity,
    accounts,
    vision,
    media,
    cameras,
    faces,
    sightings,
    visits,
    ingest,
    system,
    analytics,
    demo,
  };
}

/** Who may see what, asked anew each time: rights that were lost are lost at once. */
function createRights(accounts: Accounts) {
  return {
    scopeOfSession: async (sessionId: string): Promise<Scope | null> => {
      const identity = await accounts.identifySession(sessionId);
      return identity && createScope(identity, noGrants);
    },
    scopeOfToken: async (access: string, client: Client): Promise<Scope> =>
      createScope(await accounts.identify(access, client), noGrants, client),
  };
}

function bindRoutes(doors: Doors, parts: Parts, tickets: Tickets, options: ServerOptions): void {
  const { accounts, cameras, media, faces, sightings, analytics, system, demo } = parts;
  accountEndpoints(doors, accounts, demo.available);
  userEndpoints(doors, accounts);
  demoEndpoints(doors, demo);
  cameraEndpoints(doors, cameras);
  mediaEndpoints(doors, { media, cameras, tickets, clock: options.clock });
  faceEndpoints(doors, faces, (scope, id) => sightings.seenFace(scope, id));
  sightingEndpoints(doors, sightings);
  analyticsEndpoints(doors, analytics);
  systemEndpoints(doors, system, options.version);
}
