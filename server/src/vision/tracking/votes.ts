/**
 * Decides who a track shows, by the votes of its best pictures. Pure: what is near to each picture's vector comes in
 * as data, so a rule can be argued about with a table. A wrong name costs more than a missing one.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import {
  earliestOf,
  judge,
  sameFaceAs,
  type Candidate,
  type Rules,
  type Tier,
} from './candidates.ts';
import { probability } from '../packs/confidence.ts';

/** One embedded picture of the track. */
export interface Vote {
  readonly quality: number;
  readonly iod: number;
  readonly sharpness: number;
  readonly fault: PictureFault | null;
  /** The picture is from a sub-stream, and the main stream shows more of the face. */
  readonly coarse: boolean;
  /** The people it may be, those enrolled with the most rights first; empty when no person is enrolled. */
  readonly tiers: readonly Tier[];
}

export type Outcome =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'known'; readonly identity: string; readonly confidence: number }
  /** `resembles`: the track ended too early to name the enrolled person whom its pictures speak for. */
  | { readonly kind: 'unknown'; readonly resembles?: boolean }
  /** Seen, but never well enough to be compared. */
  | { readonly kind: 'unusable' };

/** The latest votes decide about a person who stays all day; about one comes every 2 s. */
const maxVotes = 40;
/** One picture decides alone when it is better than this; else two must agree. */
const decisiveQuality = 0.8;

/** What speaks for one entry, over all votes. */
interface Party {
  readonly who: string;
  /** The identity that the best picture was nearest to. */
  identity: string;
  votes: number;
  weight: number;
  bestQuality: number;
  /** Sum of distance x quality. */
  distances: number;
  /** Other entries of the same face, and those of them that were enrolled earlier. */
  readonly sameFace: Set<string>;
  readonly earlier: Set<string>;
}

interface Named {
  readonly who: string;
  readonly identity: string;
  readonly tier: number;
}

export class Votes {
  #votes: Vote[] = [];
  #named: Named | null = null;

  /** Coarse pictures vote until there is one that is not: they would outnumber those that show the face better. */
  add(vote: Vote): void {
    if (vote.coarse && this.#votes.some(isClear)) return;
    if (isClear(vote)) this.#votes = this.#votes.filter(({ coarse }) => !coarse);
    this.#votes.push(vote);
    if (this.#votes.length > maxVotes) this.#votes.shift();
  }

  /**
   * Returns what to show now; `ended` when no more votes will come. A named track may become unknown and get its name
   * back, but never another name: a different person is a different track. Only a tier with more rights takes a name
   * over, so that what others enrol never stands against it.
   */
  outcome(rules: Rules, ended: boolean): Outcome {
    const usable = this.#votes.filter(({ fault }) => fault === null);
    if (usable.length === 0) return { kind: ended ? 'unusable' : 'undecided' };
    const tiers = Math.max(1, ...usable.map((vote) => vote.tiers.length));
    let isSettled = true;
    let resembles = false;
    for (let tier = 0; tier < tiers; tier += 1) {
      const { parties, unknown } = count(usable, tier, rules);
      const leading = leadingOf([...parties.values()], usable);
      if (leading?.hasMajority) return this.#name(leading, tier, rules);
      const against = usable.length - (leading?.votes ?? 0);
      if (isDecided(unknown) || (leading && against >= 2)) continue;
      isSettled = false;
      resembles ||= leading !== null;
      // A person enrolled with more rights may still be named: the next tier waits for that.
      if (leading && !ended) break;
    }
    if (isSettled || this.#named !== null) return { kind: 'unknown' };
    return ended ? { kind: 'unknown', resembles } : { kind: 'undecided' };
  }

  #name({ named, members, distance }: Leading, tier: number, { calibration }: Rules): Outcome {
    const before = this.#named;
    const isKept = before !== null && members.some(({ who }) => who === before.who);
    if (before !== null && !isKept && before.tier <= tier) return { kind: 'unknown' };
    const { who, identity } = named;
    const now = isKept ? before : { who, identity, tier };
    this.#named = now;
    return {
      kind: 'known',
      identity: now.identity,
      confidence: probability(distance, calibration),
    };
  }
}

const isClear = ({ coarse, fault }: Vote): boolean => !coarse && fault === null;

function isDecided({ votes, bestQuality }: Pick<Party, 'votes' | 'bestQuality'>): boolean {
  return votes >= 2 || bestQuality > decisiveQuality;
}

interface Leading {
  /** The entry whose name is shown. */
  readonly named: Pick<Party, 'who' | 'identity'>;
  /** The leader and all other entries of the same face. */
  readonly members: readonly Party[];
  readonly votes: number;
  /** The mean distance of those who agree, weighted by quality. */
  readonly distance: number;
  readonly hasMajority: boolean;
}

/**
 * Returns the party with the most weight; where it needs the votes of other entries of the same face, together with
 * them.
 */
function leadingOf(parties: readonly Party[], usable: readonly Vote[]): Leading | null {
  const [leader] = parties.toSorted((a, b) => b.weight - a.weight);
  if (!leader) return null;
  const members = parties.filter(({ who }) => who === leader.who || leader.sameFace.has(who));
  const total = usable.reduce((sum, { quality }) => sum + quality, 0);
  const hasMajority = (some: readonly Party[]): boolean =>
    sumOf(some, 'weight') > total / 2 &&
    sumOf(some, 'votes') > usable.length / 2 &&
    (sumOf(some, 'votes') >= 2 || some.some(isDecided));
  const agreed = hasMajority([leader]) ? [leader] : members;
  return {
    named: earliestOf(agreed, leader),
    members,
    votes: sumOf(agreed, 'votes'),
    distance: sumOf(agreed, 'distances') / sumOf(agreed, 'weight'),
    hasMajority: hasMajority(agreed),
  };
}

const sumOf = (parties: readonly Party[], key: 'votes' | 'weight' | 'distances'): number =>
  parties.reduce((sum, party) => sum + party[key], 0);

function count(
  votes: readonly Vote[],
  tier: number,
  rules: Rules,
): { parties: Map<string, Party>; unknown: Party } {
  const parties = new Map<string, Party>();
  const unknown = emptyParty('');
  for (const vote of votes) {
    const choice = choiceIn(tier, vote, rules);
    let party = unknown;
    if (choice !== null) {
      party = parties.get(choice.who) ?? emptyParty(choice.who);
      parties.set(choice.who, party);
      if (vote.quality >= party.bestQuality) party.identity = choice.identity;
      for (const who of choice.earlier ?? []) party.earlier.add(who);
      for (const who of sameFaceAs(choice)) party.sameFace.add(who);
    }
    party.votes += 1;
    party.weight += vote.quality;
    party.bestQuality = Math.max(party.bestQuality, vote.quality);
    party.distances += (choice?.distance ?? 0) * vote.quality;
  }
  return { parties, unknown };
}

const emptyParty = (who: string): Party => ({
  who,
  identity: '',
  votes: 0,
  weight: 0,
  bestQuality: 0,
  distances: 0,
  sameFace: new Set(),
  earlier: new Set(),
});

/** Returns the person a picture speaks for in this tier: none where another tier decides. */
function choiceIn(tier: number, vote: Vote, rules: Rules): Candidate | null {
  const judged = judge(vote, vote.tiers, rules);
  return judged.tier === vote.tiers[tier] ? judged.choice : null;
}
