/** The ids that joined and left a list. */
export interface MembershipChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** As many ids of each as one entry of the record has room for (4,000 characters). */
const idsPerEntry = 40;

/** Splits a change into parts that fit an entry each; at least one part, which may be empty. */
export function entriesOf({ added, removed }: MembershipChange): MembershipChange[] {
  const longest = Math.max(added.length, removed.length, 1);
  return Array.from({ length: Math.ceil(longest / idsPerEntry) }, (_, index) => {
    const part = (ids: readonly string[]): readonly string[] =>
      ids.slice(index * idsPerEntry, (index + 1) * idsPerEntry);
    return { added: part(added), removed: part(removed) };
  });
}
