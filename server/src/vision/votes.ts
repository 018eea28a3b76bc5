/**
 * Who a track shows, decided by the votes of its best pictures. Pure: what is near to each picture's vector
 * comes in as data, so a rule can be argued about with a table. A wrong name costs more than a missing one.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import { matchLimit, probability } from './confidence.ts';
import type { Calibration } from './pack.ts';

/** One embedded picture of the track. */
export interface Vote {
  readonly quality: number;
  readonly iod: number;
  readonly sharpness: number;
  readonly fault: PictureFault | null;
  /** Of a sub-stream, where the main stream shows more of the face. */
  readonly coarse: boolean;
  /** Whoever is nearest, each once, nearest first; two are enough, none when nobody is enrolled. */
  readonly nearest: readonly Candidate[];
}

/** Somebody enrolled, by the nearest of their vectors. */
export interface Candidate {
  readonly who: string;
  /** Of theirs the one whose vector it is: whoever was named from several strangers has several. */
  readonly identity: string;
  readonly distance: number;
}

export type Outcome =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'known'; readonly identity: string; readonly confidence: number }
  | { readonly kind: 'unknown' }
  /** Seen, but never well enough to be compared. */
  | { readonly kind: 'unusable' };

export interface Rules {
  readonly calibration: Calibration;
  readonly gallerySize: number;
  readonly minProbability?: number;
}

/** Somebody who stays all day is voted on anew by the latest of these; about one comes each 2 s. */
const maxVotes = 40;
/** One picture decides alone when it is better than this; else two must agree. */
const decisiveQuality = 0.8;

interface Party {
  /** The identity that the best picture was nearest to. */
  identity: string;
  votes: number;
  weight: number;
  bestQuality: number;
  /** Sum of distance x quality. */
  distances: number;
}

export class Votes {
  #votes: Vote[] = [];
  #named: Pick<Candidate, 'who' | 'identity'> | null = null;

  /** Coarse pictures vote until there is one that is not: they would outnumber what is seen better. */
  add(vote: Vote): void {
    if (vote.coarse && this.#votes.some(isClear)) return;
    if (isClear(vote)) this.#votes = this.#votes.filter(({ coarse }) => !coarse);
    this.#votes.push(vote);
    if (this.#votes.length > maxVotes) this.#votes.shift();
  }

  /**
   * What is to be shown now; `ended` when no more votes will come. A named track may become unknown and
   * get its name back, but never another name: a different person is a different track.
   */
  outcome(rules: Rules, ended: boolean): Outcome {
    const usable = this.#votes.filter(({ fault }) => fault === null);
    if (usable.length === 0) return { kind: ended ? 'unusable' : 'undecided' };
    const { parties, nobody } = count(usable, rules);
    const total = usable.reduce((sum, { quality }) => sum + quality, 0);
    const [leader] = [...parties].toSorted(([, a], [, b]) => b.weight - a.weight);
    if (leader) {
      const [who, party] = leader;
      const leads = party.weight > total / 2 && party.votes > usable.length / 2;
      if (leads && isDecided(party)) return this.#name(who, party, rules);
    }
    const against = usable.length - (leader?.[1].votes ?? 0);
    const settled = isDecided(nobody) || (leader !== undefined && against >= 2);
    return { kind: settled || ended || this.#named !== null ? 'unknown' : 'undecided' };
  }

  #name(who: string, { identity, distances, weight }: Party, { calibration }: Rules): Outcome {
    if (this.#named !== null && this.#named.who !== who) return { kind: 'unknown' };
    this.#named ??= { who, identity };
    const confidence = probability(distances / weight, calibration);
    return { kind: 'known', identity: this.#named.identity, confidence };
  }
}

const isClear = ({ coarse, fault }: Vote): boolean => !coarse && fault === null;

function isDecided({ votes, bestQuality }: Pick<Party, 'votes' | 'bestQuality'>): boolean {
  return votes >= 2 || bestQuality > decisiveQuality;
}

function count(
  votes: readonly Vote[],
  rules: Rules,
): { parties: Map<string, Party>; nobody: Party } {
  const parties = new Map<string, Party>();
  const nobody = emptyParty();
  for (const vote of votes) {
    const choice = voteOf(vote, rules);
    let party = nobody;
    if (choice !== null) {
      party = parties.get(choice.who) ?? emptyParty();
      parties.set(choice.who, party);
      if (vote.quality >= party.bestQuality) party.identity = choice.identity;
    }
    party.votes += 1;
    party.weight += vote.quality;
    party.bestQuality = Math.max(party.bestQuality, vote.quality);
    party.distances += (choice?.distance ?? 0) * vote.quality;
  }
  return { parties, nobody };
}

const emptyParty = (): Party => ({
  identity: '',
  votes: 0,
  weight: 0,
  bestQuality: 0,
  distances: 0,
});

/** Who a single picture speaks for: the nearest, if near enough and clearly nearer than the second. */
export function voteOf(
  vote: Pick<Vote, 'iod' | 'sharpness' | 'nearest'>,
  rules: Rules,
): Candidate | null {
  const [first, second] = vote.nearest;
  if (!first || first.distance >= matchLimit({ ...vote, ...rules }, rules.calibration)) return null;
  if (second && second.distance - first.distance <= rules.calibration.margin) return null;
  return first;
}
