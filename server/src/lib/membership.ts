/** The ids that joined and left a list. */
export interface MembershipChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What one entry of the record tells of it. */
export interface MembershipPart extends MembershipChange {
  /** How many ids follow in further entries; left out where none does. */
  readonly more?: number;
}

/** As many ids of each kind as one entry of the record (4,000 characters) has room for, and a reader. */
export const idsPerEntry = 30;

/** Splits a change into parts that fit an entry each; at least one part, which may be empty. */
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
