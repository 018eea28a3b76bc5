/**
 * The live views of one camera: of its main stream, its sound, the smaller stream for those who would rather have
 * that, and with privacy masks for those who may not see behind them. They get the main one as long as the smaller one
 * does not come, and notice nothing but another stream that begins.
 */
import { viewNames, type CameraHealth, type ViewName } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { Clock } from '#lib/clock.ts';
import type { LiveFragment, LiveInit } from './protocol/messages.ts';
import { FanOut, type Viewer } from './fan-out.ts';

/** A viewer's place; disposed when they go. */
export interface Seat extends Disposable {
  /** What is sent there now. */
  readonly stream: ViewName;
}

export interface ViewerWishes {
  /** The main one unless said otherwise. */
  readonly stream?: ViewName;
  /** False: only what is said of the camera, for those whose pictures come another way. */
  readonly pictures?: boolean;
}

interface Wish {
  readonly viewer: Viewer;
  readonly wants: ViewName;
  readonly pictures: boolean;
  stream: ViewName;
  seat: Disposable;
}

/** A viewer who reloads the page finds the stream still running. */
const lingerMs = 10_000;

export class Views {
  readonly #clock: Clock;
  /** Others watch now than before, or nobody does. */
  readonly #changed: () => void;
  readonly #fanOuts: Readonly<Record<ViewName, FanOut>>;
  readonly #wishes = new Set<Wish>();
  readonly #ended = new AbortController();
  #hasSub = false;

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
    const fanOuts = viewNames.map((name) => [name, new FanOut(clock)] as const);
    this.#fanOuts = Object.fromEntries(fanOuts) as Record<ViewName, FanOut>;
  }

  /** How many are sent that stream. */
  watching(stream: ViewName): number {
    return this.#fanOuts[stream].viewers;
  }

  join(viewer: Viewer, wishes: ViewerWishes, health: CameraHealth): Seat {
    const { stream: wants = 'main', pictures = true } = wishes;
    const message: LiveMessage = { kind: 'health', health };
    viewer.text(JSON.stringify(message));
    const stream = this.#servedTo(wants);
    const seat = this.#fanOuts[stream].join(viewer, { pictures });
    const wish: Wish = { viewer, wants, pictures, stream, seat };
    this.#wishes.add(wish);
    this.#changed();
    return {
      get stream() {
        return wish.stream;
      },
      [Symbol.dispose]: () => {
        this.#wishes.delete(wish);
        wish.seat[Symbol.dispose]();
        void this.#linger();
      },
    };
  }

  init(head: LiveInit, body: Uint8Array): void {
    this.#fanOuts[head.stream].init(head, body);
  }

  fragment(head: LiveFragment, body: Uint8Array): void {
    this.#fanOuts[head.stream].fragment(head, body);
  }

  /** The camera is in that state now: everybody hears of it, and whoever loses their stream gets the other one. */
  follow(health: CameraHealth): void {
    this.#hasSub = health.sub?.state === 'live';
    if (health.state !== 'live') this.lose('main');
    if (health.state !== 'live' || health.sound === null) this.lose('sound');
    if (!this.#hasSub) this.lose('sub');
    if (health.state !== 'live' && !this.#hasSub) this.lose('masked');
    for (const fanOut of Object.values(this.#fanOuts)) fanOut.announce({ kind: 'health', health });
    for (const wish of this.#wishes) this.#seat(wish);
    this.#changed();
  }

  /** The next thing to come is a new initialisation segment. */
  lose(stream: ViewName): void {
    this.#fanOuts[stream].lose();
  }

  end(reason: 'camera' | 'shutdown'): void {
    this.#ended.abort();
    for (const fanOut of Object.values(this.#fanOuts)) fanOut.end(reason);
    this.#wishes.clear();
  }

  #servedTo(wants: ViewName): ViewName {
    // Who may not see behind masks is never sent anything else.
    return wants === 'sub' && !this.#hasSub ? 'main' : wants;
  }

  #seat(wish: Wish): void {
    const stream = this.#servedTo(wish.wants);
    if (stream === wish.stream) return;
    wish.seat[Symbol.dispose]();
    wish.stream = stream;
    wish.seat = this.#fanOuts[stream].join(wish.viewer, wish);
  }

  async #linger(): Promise<void> {
    await this.#clock.wait(lingerMs, this.#ended.signal).catch(() => undefined);
    if (!this.#ended.signal.aborted) this.#changed();
  }
}
