/** The modules on a real database with a stopped clock, without HTTP and without hosts: people are made of made-up vectors. */
import { pino } from 'pino';
import type { CameraFields } from '@nazar/contract/cameras.ts';
import type { Role } from '@nazar/contract/accounts.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import { Activity, Warnings } from '#activity/activity.ts';
import { Accounts, standingOf } from '#accounts/accounts.ts';
import { Cameras } from '#cameras/cameras.ts';
import { Faces, type SeenFace } from '#faces/faces.ts';
import type { Database } from '#db/database.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Clock } from '#lib/clock.ts';
import { SecretKey } from '#lib/secrets.ts';
import { Mail } from '#mail/mail.ts';
import { offHealth } from '#media/protocol/health.ts';
import { Settings } from '#settings/settings.ts';
import { Visits, type DecidedVisit, type VisitPicture } from '#visits/visits.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';
import { Vision } from '#vision/vision.ts';
import { enrolmentRightsOf } from '#app/rights.ts';
import { aClock, type StoppedClock } from './clock.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { lightHashes } from './hash-cost.ts';

export const testPack = { id: shippedPack.id, version: shippedPack.version };
export const testPackName = `${testPack.id}@${testPack.version}`;
export const quietLog = pino({ level: 'silent' });

export interface World extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly clock: StoppedClock;
  readonly master: SecretKey;
  readonly activity: Activity;
  readonly warnings: Warnings;
  readonly accounts: Accounts;
  readonly settings: Settings;
  readonly cameras: Cameras;
  readonly faces: Faces;
  readonly visits: Visits;
  /** A new user of that role, and their scope. */
  actor(role: Role): Promise<Scope>;
  camera(scope: Scope, more?: Partial<CameraFields>): Promise<string>;
  /** A person enrolled with one photo whose vector is `aVector(look)`. */
  person(
    scope: Scope,
    firstName: string,
    look: number,
  ): Promise<{ id: string; identityId: string }>;
  /** Another node: the same people on the same database, by default with the same vision. */
  otherNode(itsPoints?: Vision): Promise<Faces>;
}

/** The mail of an installation that sends no emails. */
export const noMail = (db: Database): Mail =>
  new Mail({ db, master: SecretKey.random(), clock: aClock(), log: quietLog, route: null });

/** `given`: another database than one of the server that all tests share; `eyes`: another vision than none. */
export async function aWorld(given?: TestDatabase, eyes?: Vision): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(given ?? (await testDatabase()));
  const { db } = database;
  const clock = aClock();
  const master = SecretKey.random();
  const log = quietLog;
  const vision = eyes ?? stack.use(noVision(clock));
  const activity = new Activity({ db, clock });
  const warnings = new Warnings({ db, activity, clock, log });
  const settings = stack.use(new Settings({ db, activity, clock, log }));
  const accountKey = master.derive('accounts');
  const mail = noMail(db);
  const accounts = new Accounts({
    db,
    activity,
    settings,
    key: accountKey,
    clock,
    log,
    mail,
    hashCost: lightHashes,
  });
  const key = master.derive('cameras');
  const recordingOf = () =>
    ({ reason: null, state: 'off', cause: null, modes: ['motion'] }) as const;
  const judgeAddress = () => 'allowed' as const;
  const record = async () => undefined;
  const known = { healthOf: () => offHealth, recordingOf, record, judgeAddress };
  const cameras = new Cameras({ db, activity, key, clock, log, ...known });
  const openFaces = async (seeing: Vision): Promise<Faces> =>
    Faces.open({
      db,
      activity,
      key: master.derive('identities'),
      vision: seeing,
      enrolmentRightsOf: enrolmentRightsOf(accounts, cameras),
      limits: () => settings.get('recognition'),
      clock,
      log,
    });
  const faces = stack.use(await openFaces(vision));
  const visits = new Visits({ db, faces, cameras, activity, clock, log });
  await visits.preparePartitions();
  let actors = 0;
  const built = stack.move();
  return {
    database,
    clock,
    master,
    activity,
    warnings,
    accounts,
    settings,
    cameras,
    faces,
    visits,
    actor: async (role) => {
      const email = `${role}-${(actors += 1)}@example.org`;
      const user = await accounts.createUser({
        email,
        password: 'correct-horse-7-staple',
        firstName: 'Test',
        lastName: role,
        role,
      });
      const who = { userId: user.id, email, sessionId: uuidv7(clock.now()) };
      return createScope({ ...who, standing: standingOf(user) }, noGrants);
    },
    camera: async (scope, more = {}) => (await cameras.add(scope, aCameraForm(more))).id,
    person: (scope, firstName, look) => addPerson(faces, scope, firstName, look),
    otherNode: async (itsEyes = vision) => {
      const node = await openFaces(itsEyes);
      built.use(node);
      return node;
    },
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

/** Vision that has no host. */
export function noVision(clock: Clock): Vision {
  const folders = { runDir: '/nonexistent', logsDir: '/nonexistent' };
  return new Vision({ hosts: 0, ...folders, version: 'test', clock, log: quietLog }, []);
}

async function addPerson(faces: Faces, scope: Scope, firstName: string, look: number) {
  const [category] = await faces.categories.list();
  const fields = FaceFields.parse({
    first_name: firstName,
    last_name: 'Example',
    category: category!.id,
  });
  const { id } = await faces.add(scope, fields, [], aSeenFace(look));
  const [nearest] = faces.nearest(aVector(look), testPackName, 1);
  return { id, identityId: nearest!.identityId };
}

/** A face that has no identity yet: enrolling it begins one. */
export function aSeenFace(look: number): SeenFace {
  const picture = aPicture(look);
  return {
    identityId: uuidv7(0),
    photo: {
      photo: picture.chip,
      thumbnail: picture.chip,
      fault: null,
      embedding: { ...picture, vector: picture.template },
    },
  };
}

/** Vectors of different looks are further apart than any limit; 128 dimensions, length 1. */
export function aVector(look: number): Float32Array {
  const vector = new Float32Array(128);
  const [first, round] = [look % 128, Math.floor(look / 128)];
  vector[first] = round === 0 ? 1 : Math.SQRT1_2;
  if (round > 0) vector[(first + round) % 128] = Math.SQRT1_2;
  return vector;
}

export function aPicture(look: number, quality = 0.9): VisitPicture {
  const chip = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(`picture of ${look}`)]);
  const { id: packId, version: packVersion } = testPack;
  return { chip, template: aVector(look), packId, packVersion, quality };
}

export function aVisit(
  cameraId: string,
  startedAtMs: number,
  more: Partial<DecidedVisit> = {},
): DecidedVisit {
  return {
    id: uuidv7(startedAtMs),
    cameraId,
    identityId: null,
    startedAtMs,
    endedAtMs: startedAtMs + 1_000,
    confidence: 0.8,
    picture: aPicture(1),
    ...more,
  };
}

export function aCameraForm(more: Partial<CameraFields> = {}): CameraFields {
  return {
    name: 'Gate',
    description: '',
    location: 'Yard',
    type: 'rtsp',
    status: 'inactive',
    ip_address: '',
    url: '',
    sub_url: '',
    device_url: '',
    username: '',
    password: '',
    certificate: '',
    resolution: '1280x720',
    fps: 25,
    rotation: 0,
    enable_face_recognition: true,
    enable_audio: false,
    ...more,
  };
}
