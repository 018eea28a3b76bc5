/** The ids that joined and left a list. */
export interface MembershipChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The part of the change that one entry of the activity log holds. */
export interface MembershipPart extends MembershipChange {
  /** How many ids follow in further entries; absent if none do. */
  readonly more?: number;
}

/** The ids of each kind that fit into one entry of the activity log (4,000 characters), and that a person can read. */
export const idsPerEntry = 30;

/** Splits a change into parts that each fit one entry; at least one part, which may be empty. */
export function entriesOf({ added, removed }: MembershipChange): MembershipPart[] {
  const longest = Math.max(added.length, removed.length, 1);
  return Array.from({ length: Math.ceil(longest / idsPerEntry) }, (_, index) => {
    const [from, until] = [index * idsPerEntry, (index + 1) * idsPerEntry];
    const more = [...added.slice(until), ...removed.slice(until)].length;
    return {
      added: added.slice(from, until),
      removed: removed.slice(from, until),
      ...(more > 0 && { more }),
    };
  });
}
