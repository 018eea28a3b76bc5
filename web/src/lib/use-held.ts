/** A list that is held still while it is read. */
import { useMemo, useState } from 'react';
import { hold, type Held } from './hold.ts';

interface Shown<T extends { readonly id: string }> extends Held<T> {
  readonly key: string;
  readonly now: readonly T[];
}

/** Another question (`key`) begins anew; an answer to the same one moves nothing that is read. */
export function useHeld<T extends { readonly id: string }>(
  now: readonly T[] | undefined,
  key: string,
) {
  const [shown, setShown] = useState<Shown<T> | null>(null);
  const isOther = shown?.key !== key;
  if (now !== undefined && (isOther || shown.now !== now)) {
    setShown({ key, now, ...(isOther ? { rows: now, waiting: [] } : hold(shown.rows, now)) });
  }
  const release = (): void => {
    if (shown !== null) setShown({ ...shown, rows: shown.now, waiting: [] });
  };
  const held = useMemo(() => (isOther ? null : shown), [isOther, shown]);
  return { held, release };
}
