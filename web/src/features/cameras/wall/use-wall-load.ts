/** Measures the tiles of the wall each second, and says what of every camera is shown from then on. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { LivePlayer } from '#parts/player/live-player.ts';
import { beginsWithKey } from '#parts/player/live/key-fragment.ts';
import type { Pace } from '#parts/player/live/pace.ts';
import { WallLoad } from './wall-load.ts';

const everyMs = 1000;
/** The page wants so many turns between two measures. */
const turns = 10;

export interface WallPace {
  readonly pace: Pace;
  /** When it was last a camera's turn, where stills are shown by turns; in milliseconds of `Date.now()`. */
  readonly turnMsOf: (cameraId: string) => number | undefined;
  /** Gets the player of each tile. */
  readonly onPlayer: (cameraId: string, player: LivePlayer | null) => void;
}

/** What a tile shows is the substream where there is one; a camera that doesn't say owes nothing. */
const fpsOf = ({ health }: Camera): number =>
  (health.sub?.state === 'live' ? health.sub.fps : health.state === 'live' ? health.fps : 0) ?? 0;

const keyTestOf = (pace: Pace) => (pace === 'keyFrames' ? beginsWithKey : null);

type Turns = ReadonlyMap<string, number>;

/** One tile each second, in their order: the one whose turn is the longest ago. */
function nextTurn(last: Turns, cameras: readonly Camera[], nowMs: number): Turns {
  const sending = cameras.filter(({ health }) => health.state === 'live');
  const ago = ({ id }: Camera): number => last.get(id) ?? 0;
  const [next] = sending.toSorted((one, other) => ago(one) - ago(other));
  const shown = cameras.flatMap(({ id }): [string, number][] => {
    const ms = last.get(id);
    return ms === undefined ? [] : [[id, ms]];
  });
  return new Map([...shown, ...(next === undefined ? [] : [[next.id, nowMs] as const])]);
}

/** Calls `measure` each second while the page is in sight, and `pause` when it goes out of sight. */
function eachSecond(measure: (atMs: number, turns: number) => void, pause: () => void) {
  let [startedMs, had] = [Date.now(), 0];
  const begin = (): void => void ([startedMs, had] = [Date.now(), 0]);
  const timer = setInterval(() => {
    // Timers of a page out of sight are held back by the browser.
    if (document.visibilityState === 'hidden') return;
    had += 1;
    const nowMs = Date.now();
    const wanted = ((nowMs - startedMs) * turns) / everyMs;
    if (wanted < turns) return;
    const share = Math.min(1, had / wanted);
    begin();
    measure(nowMs, share);
  }, everyMs / turns);
  const changed = (): void => {
    begin();
    pause();
  };
  document.addEventListener('visibilitychange', changed);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** `paused`: something lies over the wall. Nothing is streamed then, so that nothing is measured, and no still is asked for. */
export function useWallLoad(cameras: readonly Camera[], paused: boolean): WallPace {
  const [load] = useState(() => new WallLoad());
  const players = useRef(new Map<string, LivePlayer>());
  const [pace, setPace] = useState<Pace>('streams');
  const [turnsMs, setTurnsMs] = useState<Turns>(() => new Map());
  const shown = useRef(cameras);
  useEffect(() => void (shown.current = cameras));
  const isKey = useRef(keyTestOf(pace));
  useEffect(() => {
    isKey.current = keyTestOf(pace);
    for (const player of players.current.values()) player.showKeysOnly(isKey.current);
  }, [pace]);
  useEffect(() => {
    if (paused) return undefined;
    const measure = (atMs: number, share: number): void => {
      const playing = shown.current.flatMap((camera) => {
        const player = players.current.get(camera.id);
        return player === undefined ? [] : [[camera, player] as const];
      });
      const tiles = playing.map(
        ([camera, { came, pictures: shownPictures }]) =>
          [camera.id, { came, shown: shownPictures, fps: fpsOf(camera) }] as const,
      );
      const next = load.measure({ atMs, tiles: new Map(tiles), turns: share });
      setPace(next);
      if (next === 'stills') setTurnsMs((last) => nextTurn(last, shown.current, atMs));
    };
    const forget = (): void => load.forget();
    const end = eachSecond(measure, forget);
    return () => {
      end();
      forget();
    };
  }, [load, paused]);
  const onPlayer = useCallback((cameraId: string, player: LivePlayer | null) => {
    if (player === null) players.current.delete(cameraId);
    else {
      players.current.set(cameraId, player);
      player.showKeysOnly(isKey.current);
    }
  }, []);
  return { pace, turnMsOf: (id) => turnsMs.get(id), onPlayer };
}
