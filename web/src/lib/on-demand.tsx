/**
 * A component whose code comes when it is first shown: what few visits open does not weigh on all. Once it is here
 * it is drawn at once, without a moment of nothing in between.
 */
import { useEffect, useState, type ComponentType } from 'react';
// What opens late returns the focus to what had it before its code was here.
import './use-return-focus.ts';

export interface OnDemand<Props> {
  readonly Component: ComponentType<Props>;
  /** Begins to load it, where the reader is about to open it. */
  readonly preload: () => Promise<void>;
}

export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async (): Promise<void> => {
    loaded ??= await load();
  };
  function Component(props: Props) {
    const [, setDone] = useState(loaded !== null);
    const [failure, setFailure] = useState<unknown>(null);
    useEffect(() => {
      if (loaded === null) preload().then(() => setDone(true), setFailure);
    }, []);
    // The page says that it is broken, and offers another try.
    if (failure !== null) throw failure;
    const Loaded = loaded;
    return Loaded === null ? null : <Loaded {...props} />;
  }
  return { Component, preload };
}
