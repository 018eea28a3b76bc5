/** Compares the names given in a film with the people in it. Pure. */

/** Who is in view, in seconds of the film. */
export interface Part {
  readonly from: number;
  readonly until: number;
  readonly identity: string;
  readonly enrolled: boolean;
}

/** A name that was given, in milliseconds of the film. */
export interface Name {
  readonly at: number;
  readonly identity: string;
}

export interface Verdict {
  /** Parts with an enrolled person, and how many of them were given their name. */
  readonly visits: number;
  readonly named: number;
  /** Longest time from coming into view to being named; null when no person was named. */
  readonly slowestMs: number | null;
  /** Names of people who were not in view. */
  readonly wrong: number;
}

export function judge(cast: readonly Part[], names: readonly Name[]): Verdict {
  const visits = cast.filter(({ enrolled }) => enrolled);
  const delays = visits.flatMap((part) => {
    const first = names.find((name) => isIn(part, name.at) && name.identity === part.identity);
    return first ? [first.at - part.from * 1000] : [];
  });
  const wrong = names.filter(
    ({ at, identity }) => !cast.some((part) => isIn(part, at) && part.identity === identity),
  );
  return {
    visits: visits.length,
    named: delays.length,
    slowestMs: delays.length > 0 ? Math.max(...delays) : null,
    wrong: wrong.length,
  };
}

const isIn = ({ from, until }: Part, at: number): boolean => at >= from * 1000 && at < until * 1000;
