import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { signal, useSignal } from '#lib/signal.ts';
import type { LiveTransport } from './live/transport-selector.ts';
import { LivePlayer, type LivePlayerOptions } from './live-player.ts';
import type { PlayerState } from './player-state.ts';

const noState = signal<PlayerState>({ kind: 'idle' });
const noHealth = signal<CameraHealth | null>(null);
const noTransport = signal<LiveTransport | null>(null);
const notKept = signal<number | null>(null);
const noFailure = signal<string | null>(null);

export interface Live {
  /** Give it to the `<video>`. */
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Give it to a `<canvas>`: where there is none, no JPEGs are shown. */
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  /** Give it to a `<canvas>`: there the last picture stays. */
  readonly kept: RefObject<HTMLCanvasElement | null>;
  /** When that picture came, in milliseconds of `Date.now()`; null: there is none. */
  readonly keptMs: number | null;
  readonly player: LivePlayer | null;
  readonly state: PlayerState;
  readonly transport: LiveTransport | null;
  readonly health: CameraHealth | null;
  /** Why low latency could not be had. */
  readonly lowLatencyFailed: string | null;
}

/** A player for as long as the element stands; it streams while `wanted`. */
export function useLivePlayer(of: LivePlayerOptions, wanted: boolean): Live {
  const { cameraId, stream, lowLatency, forced } = of;
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const kept = useRef<HTMLCanvasElement>(null);
  const [player, setPlayer] = useState<LivePlayer | null>(null);
  useEffect(() => {
    if (video.current === null) return undefined;
    const options = { cameraId, stream, lowLatency: lowLatency === true, forced };
    const made = new LivePlayer(options, video.current, canvas.current, kept.current);
    setPlayer(made);
    return () => made[Symbol.dispose]();
  }, [cameraId, stream, lowLatency, forced]);
  useEffect(() => {
    if (wanted) player?.start();
    else player?.stop();
  }, [player, wanted]);
  const state = useSignal(player?.state ?? noState);
  const transport = useSignal(player?.transport ?? noTransport);
  const health = useSignal(player?.health ?? noHealth);
  const lowLatencyFailed = useSignal(player?.lowLatencyFailed ?? noFailure);
  const keptMs = useSignal(player?.keptMs ?? notKept);
  return { video, canvas, kept, keptMs, player, state, transport, health, lowLatencyFailed };
}
