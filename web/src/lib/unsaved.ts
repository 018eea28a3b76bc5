/**
 * What was typed and is not saved yet. Whatever holds such input says so with `useUnsaved`; who is about to take it away
 * (a dialog that closes, a change of address, a reload) asks first.
 */
import { createContext, useContext, useEffect, useEffectEvent } from 'react';

export class Unsaved {
  readonly #readers = new Set<() => boolean>();

  /** Answers how to take it out again. */
  add(isUnsaved: () => boolean): () => void {
    this.#readers.add(isUnsaved);
    return () => void this.#readers.delete(isUnsaved);
  }

  get is(): boolean {
    return [...this.#readers].some((isUnsaved) => isUnsaved());
  }
}

const ofPage = new Unsaved();
/** A dialog gives one of its own to what stands in it. */
export const UnsavedContext = createContext(ofPage);

export const hasUnsaved = (): boolean => ofPage.is;

/** `isUnsaved` is read at the moment something is about to be lost, as long as its component is there. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const around = useContext(UnsavedContext);
  const read = useEffectEvent(isUnsaved);
  useEffect(() => around.add(() => read()), [around]);
}
