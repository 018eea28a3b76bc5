/** What people's faces are made of: one gallery in memory, and the parts that change what it holds. */
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Vision } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { Categories } from './categories.ts';
import { Enrollers, type EnrolmentRightsOf } from './enrolment-rights.ts';
import { FaceErasing } from './erasing/erasing.ts';
import { Known } from './gallery/known.ts';
import { Identities } from './identities.ts';
import { IdentityStore } from './identity-store.ts';
import { NegativeStore } from './negative-store.ts';
import { Negatives } from './negatives.ts';
import { PersonStore } from './person-store.ts';
import { DoubtStore } from './photos/doubt-store.ts';
import { PhotoDoubts } from './photos/photo-doubts.ts';
import { Photos, type PhotosOptions } from './photos/photos.ts';
import { QuotaStore } from './photos/quota-store.ts';
import { Quotas, type AccountLimits } from './photos/quotas.ts';
import { PhotoChips } from './reembedding/reembedding.ts';
import { ReembeddingStore } from './reembedding/reembedding-store.ts';
import { Corrections } from './strangers/corrections.ts';
import { Naming } from './strangers/naming.ts';
import { Strangers } from './strangers/strangers.ts';

export interface PartsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly key: SecretKey;
  readonly vision: Vision;
  /** Returns on which cameras an account's people count, and its tier, which decides before whose people. */
  readonly enrolmentRightsOf: EnrolmentRightsOf;
  /** Ids of people who must not be recognised now, whatever the reason; privacy knows them. Default: none. */
  readonly withheld?: () => Promise<ReadonlySet<string>>;
  /** How much each account may enrol; default: no limit, which only tests use. */
  readonly limits?: () => Promise<AccountLimits>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the other parts use: who there is, and who is recognised. */
interface Shared extends PartsOptions {
  readonly persons: PersonStore;
  readonly identityStore: IdentityStore;
  readonly identities: Identities;
  readonly negatives: Negatives;
  readonly enrollers: Enrollers;
  readonly known: Known;
  readonly quotas: Quotas;
  readonly doubts: PhotoDoubts;
}

export type FaceParts = Omit<Shared, keyof PartsOptions> &
  ReturnType<typeof enrolling> &
  ReturnType<typeof naming>;

/** `people`: the front door, which says who may change a person. */
export function makeParts(options: PartsOptions, people: PhotosOptions['people']): FaceParts {
  const shared = sharedBy(options);
  return { ...shared, ...enrolling(shared, people), ...naming(shared) };
}

function sharedBy(options: PartsOptions): Shared {
  const { db, activity, key, enrolmentRightsOf, clock, log } = options;
  const { vision, withheld = async () => new Set<string>() } = options;
  const enrollers = new Enrollers({ rightsOf: enrolmentRightsOf, clock, log });
  const identityStore = new IdentityStore(db);
  const identities = new Identities(identityStore, key, clock);
  const negatives = new Negatives({ store: new NegativeStore(db), identities, clock, log });
  const recognized = { db, store: identityStore, identities, negatives };
  const known = new Known({ ...recognized, enrollers, withheld, clock, log });
  const doubts = new PhotoDoubts({
    db,
    store: new DoubtStore(db),
    activity,
    identities,
    known,
    enrollers,
    inUse: () => {
      const pack = packKey(vision.pack);
      const calibration = vision.calibrationOf(pack);
      return calibration && { pack, calibration };
    },
    log,
  });
  const quotas = new Quotas({ store: new QuotaStore(db), limits: options.limits });
  const persons = new PersonStore(db);
  return {
    ...options,
    persons,
    identityStore,
    identities,
    negatives,
    enrollers,
    known,
    quotas,
    doubts,
  };
}

function enrolling(shared: Shared, people: PhotosOptions['people']) {
  const { db, activity, vision, persons, identityStore, identities, ...others } = shared;
  const { quotas, doubts, clock, log } = others;
  return {
    categories: new Categories({ db, activity, clock }),
    photos: new Photos({
      people,
      quotas,
      doubts,
      db,
      activity,
      vision,
      persons,
      identityStore,
      identities,
      clock,
      log,
    }),
    chipSource: new PhotoChips({
      db,
      store: new ReembeddingStore(db),
      persons,
      identities,
      vision,
      doubts,
      log,
    }),
  };
}

/** Unknown people: who they are, who they turn out to be, and what was corrected. */
function naming({ db, persons, identities, identityStore, quotas, vision, clock, log }: Shared) {
  const erasing = new FaceErasing(db, clock);
  const corrections = new Corrections(clock);
  return {
    erasing,
    corrections,
    strangers: new Strangers({
      identities,
      calibrationOf: (pack) => vision.calibrationOf(pack),
      log,
    }),
    naming: new Naming({
      db,
      persons,
      identities,
      identityStore,
      corrections,
      quotas,
      erasing,
      clock,
    }),
  };
}
