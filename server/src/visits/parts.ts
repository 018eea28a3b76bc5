/** What visits are made of: the lists, what they count, what is corrected, deleted and erased. */
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Faces } from '#faces/faces.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Counting } from './counting/counting.ts';
import { Decisions } from './decisions.ts';
import { DecisionsStore } from './decisions-store.ts';
import { Deleting, type DeletingOptions } from './deleting.ts';
import { VisitErasing } from './erasing.ts';
import { HiddenPictures, type MaskZones } from './hidden-pictures.ts';
import { LastSeen } from './lists/last-seen.ts';
import { LastSeenStore } from './lists/last-seen-store.ts';
import { VisitListStore } from './lists/visit-list-store.ts';
import { SharedVisitStore } from './lists/shared-visit-store.ts';
import { NextVisits, type NextVisitsOptions } from './next-visit.ts';
import { NotThisPerson } from './not-this-person.ts';
import { Pictures } from './pictures.ts';
import { VisitChips } from './reembedding.ts';
import { VisitStore } from './store.ts';
import { UnknownFaces } from './unknown-faces.ts';
import { UnknownFinder } from './unknown-matches/unknown-matches.ts';
import { VisitDetails } from './visit-details.ts';
import { VisitNews } from './visit-news.ts';

export interface PartsOptions {
  readonly db: Database;
  readonly faces: Faces;
  readonly cameras: Pick<Cameras, 'ownersOf'> & { readonly zones: MaskZones };
  readonly activity: Activity;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the other parts use. */
interface Shared extends PartsOptions {
  readonly store: VisitStore;
  readonly faceLogs: VisitListStore;
  readonly pictures: Pictures;
  readonly hidden: HiddenPictures;
}

/** What the parts report to the front door. */
type Calls = Pick<DeletingOptions, 'seen'> & Pick<NextVisitsOptions, 'isOutside'>;

export type VisitParts = Pick<Shared, 'store' | 'faceLogs' | 'pictures'> &
  ReturnType<typeof reading> &
  ReturnType<typeof correcting>;

export function makeParts(options: PartsOptions, calls: Calls): VisitParts {
  const { db, faces, cameras } = options;
  const store = new VisitStore(db);
  const hidden = new HiddenPictures(cameras.zones);
  const faceLogs = new VisitListStore(db, hidden);
  const pictures = new Pictures({ store, faces });
  const shared = { ...options, store, hidden, faceLogs, pictures };
  return { store, faceLogs, pictures, ...reading(shared), ...correcting(shared, calls) };
}

function reading({ db, faces, cameras, hidden, clock, log }: Shared) {
  return {
    news: new VisitNews({
      store: new SharedVisitStore(db),
      hidden,
      ownersOf: (ids) => cameras.ownersOf(ids),
    }),
    lastSeen: new LastSeen(new LastSeenStore(db)),
    counting: new Counting({ db, clock }),
    unknownMatches: new UnknownFinder({ db, faces, hidden, log }),
    chipSource: new VisitChips(db, faces),
    erasing: new VisitErasing(db),
  };
}

function correcting(shared: Shared, { seen, isOutside }: Calls) {
  const { db, faces, activity, clock, store, hidden, faceLogs, pictures } = shared;
  const common = { db, faces, activity, clock, visits: store, pictures };
  const unknown = new UnknownFaces({ ...common, hidden });
  const notThisPerson = new NotThisPerson({ ...common, faceLogs });
  const decisions = new Decisions(new DecisionsStore(db));
  return {
    unknown,
    notThisPerson,
    details: new VisitDetails({ faces, faceLogs, unknown, notThisPerson, decisions }),
    deleting: new Deleting({ db, visits: store, faceLogs, activity, clock, seen }),
    nextVisits: new NextVisits({ db, faces, store, pictures, isOutside }),
  };
}
