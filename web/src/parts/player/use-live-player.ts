import type { CameraHealth, ViewName } from '@nazar/contract/cameras.ts';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { signal, useSignal } from '#lib/signal.ts';
import { LivePlayer } from './live-player.ts';
import type { PlayerState } from './player-state.ts';

const noState = signal<PlayerState>({ kind: 'idle' });
const noHealth = signal<CameraHealth | null>(null);

export interface Live {
  /** Give it to the `<video>`. */
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly player: LivePlayer | null;
  readonly state: PlayerState;
  readonly health: CameraHealth | null;
  /** Why low latency could not be had. */
  readonly lowLatencyFailed: string | null;
}

export interface LiveOf {
  readonly cameraId: string;
  readonly stream: ViewName;
  readonly lowLatency: boolean;
}

const noFailure = signal<string | null>(null);

/** A player for as long as the element stands; it streams while `wanted`. */
export function useLivePlayer({ cameraId, stream, lowLatency }: LiveOf, wanted: boolean): Live {
  const video = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<LivePlayer | null>(null);
  useEffect(() => {
    if (video.current === null) return undefined;
    const made = new LivePlayer({ cameraId, stream, lowLatency }, video.current);
    setPlayer(made);
    return () => made[Symbol.dispose]();
  }, [cameraId, stream, lowLatency]);
  useEffect(() => {
    if (wanted) player?.start();
    else player?.stop();
  }, [player, wanted]);
  const state = useSignal(player?.state ?? noState);
  const health = useSignal(player?.health ?? noHealth);
  const lowLatencyFailed = useSignal(player?.lowLatencyFailed ?? noFailure);
  return { video, player, state, health, lowLatencyFailed };
}
