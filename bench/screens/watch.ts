/** Reads screens and truth beside each other for as long as troubles last. */
import { setTimeout as wait } from 'node:timers/promises';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import type { Product } from '../rig/product.ts';
import type { Said } from './judge.ts';
import { read } from './read.ts';
import type { Screens } from './screens.ts';
import { names, type Cameras } from './trouble.ts';
import { Truth, type Moment } from './truth.ts';

const readEveryMs = 1_000;
const askEveryMs = 250;
/** A server that does not answer in this time cannot be asked. */
const answerMs = 3_000;
/** A device that was too slow shows all again when it has shown that it can. */
const recoveryMs = 60_000;

export interface Watched {
  readonly product: Product;
  readonly cameras: Cameras;
  readonly screens: Screens;
}

export type Observed = Said & {
  readonly trouble: string;
  /** Whether it has lasted for so long that all screens know of it. */
  readonly isLate: boolean;
};

/** How long a trouble has lasted when all screens know of it, with the silence of a camera before. */
const knownMs = 16_000;

export class Watch implements AsyncDisposable {
  readonly truth = new Truth();
  readonly said: Observed[] = [];
  isBurdened = false;
  readonly #of: Watched;
  readonly #end = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  #access: string;
  #busyUntilMs = 0;
  #trouble: string | null = null;
  #sinceMs = 0;

  constructor(of: Watched) {
    this.#of = of;
    this.#access = of.product.access;
  }

  set isThrottled(is: boolean) {
    this.#busyUntilMs = is ? Infinity : Date.now() + recoveryMs;
  }

  /** Null: it is over. */
  set trouble(trouble: string | null) {
    this.#trouble = trouble;
    this.#sinceMs = Date.now();
  }

  begin(): void {
    const screens = [...this.#of.screens].map(([screen, page]) =>
      this.#every(readEveryMs, async () => {
        const trouble = this.#trouble ?? 'all is well';
        const isLate = Date.now() - this.#sinceMs > knownMs;
        const said = await read(page, screen, names);
        this.said.push(...said.map((one) => ({ ...one, trouble, isLate })));
      }),
    );
    const asking = this.#every(askEveryMs, async () => this.truth.add(await this.#moment()));
    this.#work = Promise.all([...screens, asking]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#work;
  }

  async #every(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#end.signal.aborted) {
      const next = wait(everyMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
      await work();
      await next;
    }
  }

  async #moment(): Promise<Moment> {
    const cameras = await this.#cameras();
    return {
      atMs: Date.now(),
      cameras: cameras && Object.fromEntries(cameras.map((camera) => [camera.name, camera])),
      silentSinceMs: this.#of.cameras.silentSinceMs,
      isBusy: this.isBurdened || Date.now() < this.#busyUntilMs,
    };
  }

  /** Null: the server does not answer. */
  async #cameras(): Promise<readonly Camera[] | null> {
    const { nazar } = this.#of.product;
    try {
      const reply = await fetch(nazar.origin + cameraRoutes.list.path, {
        headers: { authorization: `Bearer ${this.#access}` },
        signal: AbortSignal.timeout(answerMs),
      });
      if (reply.status === 401) this.#access = await nazar.signIn();
      if (!reply.ok) return null;
      return ((await reply.json()) as { results: Camera[] }).results;
    } catch {
      return null;
    }
  }
}
