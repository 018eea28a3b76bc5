/** Cameras that can be put in trouble, and a machine that can be given too much to do. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { makeFilm, smallFilm, type Film } from '../../e2e/farm/film.ts';
import { RtspCamera } from '../../e2e/farm/rtsp-camera.ts';

export const names = ['Steady', 'Unplugged', 'Frozen', 'Slow'] as const;
export type Name = (typeof names)[number];

export class Cameras implements AsyncDisposable {
  readonly #farm: ReadonlyMap<Name, RtspCamera>;
  readonly #usual: Film;
  readonly #slow: Film;
  readonly #silentSinceMs = new Map<Name, number>();

  private constructor(farm: ReadonlyMap<Name, RtspCamera>, usual: Film, slow: Film) {
    this.#farm = farm;
    this.#usual = usual;
    this.#slow = slow;
  }

  static async start(): Promise<Cameras> {
    const usual = makeFilm();
    const slow = makeFilm({ ...smallFilm, fps: 1, pictures: 10, gop: 1 });
    const started = await Promise.all(
      names.map(async (name) => [name, await RtspCamera.start({ film: usual })] as const),
    );
    return new Cameras(new Map(started), usual, slow);
  }

  of(name: Name): RtspCamera {
    return this.#farm.get(name)!;
  }

  get silentSinceMs(): Record<string, number | null> {
    return Object.fromEntries(names.map((name) => [name, this.#silentSinceMs.get(name) ?? null]));
  }

  async unplug(): Promise<void> {
    this.#silentSinceMs.set('Unplugged', Date.now());
    await this.of('Unplugged').close();
  }

  async plugIn(): Promise<void> {
    await this.of('Unplugged').listen();
    this.#silentSinceMs.delete('Unplugged');
  }

  /** Its connection stays, and nothing comes. */
  freeze(): void {
    this.#silentSinceMs.set('Frozen', Date.now());
    this.of('Frozen').behaviour = { kind: 'freeze' };
  }

  thaw(): void {
    this.of('Frozen').behaviour = { kind: 'ok' };
    this.#silentSinceMs.delete('Frozen');
  }

  /** One picture a second, from a new connection on. */
  slowDown(isSlow: boolean): void {
    this.of('Slow').film = isSlow ? this.#slow : this.#usual;
    this.of('Slow').cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#farm.values()].map((camera) => camera.close()));
  }
}

/** That many processes that do nothing but count: each adds one to the load. */
export class Burden implements AsyncDisposable {
  readonly #processes: readonly ChildProcess[];

  constructor(load: number) {
    this.#processes = Array.from({ length: load }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#processes.map(async (one) => {
        const gone = once(one, 'exit');
        one.kill('SIGKILL');
        await gone;
      }),
    );
  }
}
