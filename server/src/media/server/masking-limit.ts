/**
 * Limits how much is encoded at once for users who may not see behind privacy masks, live and recorded together, and
 * for players that do not know a recording's codec. A camera with viewers of its masked view takes one encoder as
 * long as they stay; a player of recordings counts until it has asked for nothing for a while.
 *
 * Accounts share the places (`lib/limits/fair-share.ts`). A camera that several accounts watch belongs to none of them,
 * and makes way for none.
 */
import type { Clock } from '#lib/clock.ts';
import { FairShare } from '#lib/limits/fair-share.ts';
import { Problem } from '#lib/problem.ts';

/** A live view takes 14 % of a core at 1280x720; a player takes as much as it reads ahead. */
const maxAtOnce = 4;
/** A playing player asks every few seconds; one that is paused, or gone, does not. */
const idleMs = 20_000;
/** How long a refused client is asked to wait before it tries again. */
const retryAfterS = 10;
/** A player that was replaced asks on for some minutes at most: its ticket ends. */
const replacedMs = 10 * 60_000;

/** An encoder that one account uses. */
interface Place {
  /** Newer views of the account, or others that had less, took its place. */
  readonly replace: () => void;
}

interface Player {
  readonly account: string;
  readonly place: Place;
  /** Monotonic, as all times here. */
  askedAtMs: number;
}

interface MaskedViewer {
  readonly account: string;
  readonly replaced: () => void;
}

interface LiveCamera {
  readonly viewers: Set<MaskedViewer>;
  /** Null while several accounts watch it. */
  own: { readonly account: string; readonly place: Place } | null;
}

export class MaskingLimit {
  readonly #clock: Clock;
  readonly #share = new FairShare<Place>(maxAtOnce);
  readonly #cameras = new Map<string, LiveCamera>();
  readonly #players = new Map<string, Player>();
  readonly #replaced = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws too_many_masked_views. A player that was replaced may begin again: its user wants it now. */
  mayBegin(player: string, account: string): void {
    this.#forget();
    this.#replaced.delete(player);
    if (!this.#players.has(player) && !this.#share.admits(account, this.#max())) throw full();
  }

  /** Admits a player, or renews its admission. Throws too_many_masked_views, view_replaced. */
  play(player: string, account: string): void {
    this.#forget();
    if (this.#replaced.has(player)) throw new Problem('view_replaced');
    const askedAtMs = this.#clock.monotonicMs();
    const known = this.#players.get(player);
    if (known) {
      known.askedAtMs = askedAtMs;
      return;
    }
    const place: Place = {
      replace: () => {
        this.#players.delete(player);
        this.#replaced.set(player, this.#clock.monotonicMs());
      },
    };
    this.#admit(account, place);
    this.#players.set(player, { account, place, askedAtMs });
  }

  /**
   * Admits a viewer of a camera's masked view until that is disposed. `replaced`: its encoder went to another view; the
   * viewer is gone from here then. Throws too_many_masked_views.
   */
  watch(cameraId: string, account: string, replaced: () => void): Disposable {
    this.#forget();
    const viewer: MaskedViewer = { account, replaced };
    const camera = this.#cameras.get(cameraId) ?? this.#open(cameraId, account);
    camera.viewers.add(viewer);
    this.#settle(cameraId, camera);
    return {
      [Symbol.dispose]: () => {
        if (camera.viewers.delete(viewer)) this.#settle(cameraId, camera);
      },
    };
  }

  #open(cameraId: string, account: string): LiveCamera {
    const camera: LiveCamera = { viewers: new Set(), own: null };
    const own = { account, place: this.#placeOf(cameraId, camera) };
    this.#admit(account, own.place);
    camera.own = own;
    this.#cameras.set(cameraId, camera);
    return camera;
  }

  #placeOf(cameraId: string, camera: LiveCamera): Place {
    return {
      replace: () => {
        if (this.#cameras.get(cameraId) === camera) this.#cameras.delete(cameraId);
        const viewers = [...camera.viewers];
        camera.viewers.clear();
        camera.own = null;
        for (const { replaced } of viewers) replaced();
      },
    };
  }

  /** Whose place the camera's encoder is, after its viewers changed. */
  #settle(cameraId: string, camera: LiveCamera): void {
    const accounts = new Set([...camera.viewers].map(({ account }) => account));
    const [account] = accounts;
    const isOne = accounts.size === 1;
    if (camera.own && (!isOne || camera.own.account !== account)) {
      this.#share.release(camera.own.account, camera.own.place);
      camera.own = null;
    }
    if (accounts.size === 0 && this.#cameras.get(cameraId) === camera) {
      this.#cameras.delete(cameraId);
    }
    if (!isOne || camera.own) return;
    camera.own = { account: account!, place: this.#placeOf(cameraId, camera) };
    this.#admit(account!, camera.own.place);
  }

  #admit(account: string, place: Place): void {
    const admission = this.#share.admit(account, place, this.#max());
    if (admission.kind === 'full') throw full();
    if (admission.kind === 'replaced') admission.left.replace();
  }

  /** Encoders that several accounts use are not to be had. */
  #max(): number {
    const shared = [...this.#cameras.values()].filter(({ own }) => own === null).length;
    return maxAtOnce - shared;
  }

  #forget(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [player, { account, place, askedAtMs }] of this.#players) {
      if (askedAtMs > nowMs - idleMs) continue;
      this.#players.delete(player);
      this.#share.release(account, place);
    }
    for (const [player, atMs] of this.#replaced) {
      if (atMs <= nowMs - replacedMs) this.#replaced.delete(player);
    }
  }
}

const full = (): Problem =>
  new Problem('too_many_masked_views', { max: maxAtOnce, retry_after_s: retryAfterS });
