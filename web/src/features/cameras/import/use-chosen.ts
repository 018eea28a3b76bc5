/** Which cameras of a file are taken, and what they are to be called. All of them, as the file calls them, at first. */
import type { FoundCamera } from '@nazar/contract/camera-import.ts';
import { useState } from 'react';

export interface Chosen {
  readonly cameras: readonly { readonly key: string; readonly name: string }[];
  readonly has: (key: string) => boolean;
  readonly turn: (key: string) => void;
  readonly turnAll: () => void;
  readonly nameOf: (camera: FoundCamera) => string;
  readonly rename: (key: string, name: string) => void;
}

export function useChosen(
  found: readonly FoundCamera[],
): Chosen & { cameras: { key: string; name: string }[] } {
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const taken = found.filter(({ key }) => !without.has(key));
  const nameOf = ({ key, name }: FoundCamera): string => names.get(key) ?? name;
  return {
    // A name that was emptied is the file's own.
    cameras: taken.map((one) => ({ key: one.key, name: nameOf(one).trim() || one.name })),
    has: (key) => !without.has(key),
    turn: (key) => setWithout((before) => before.symmetricDifference(new Set([key]))),
    turnAll: () => setWithout(new Set(taken.length > 0 ? found.map(({ key }) => key) : [])),
    nameOf,
    rename: (key, name) => setNames((before) => new Map(before).set(key, name)),
  };
}
