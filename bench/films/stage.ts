/** The vision host that films are shown to, in its own process as in the product. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../server/src/lib/clock.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { VisionClient } from '../../server/src/vision/client.ts';
import { makeModels } from '../../server/src/vision/setup/make-models.ts';
import { Vision } from '../../server/src/vision/vision.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import type { Main } from './play.ts';
import { Screening, type Enrolled, type Shown } from './screening.ts';

export class Stage implements AsyncDisposable {
  readonly #folder: string;
  readonly #vision: Vision;
  readonly #client: VisionClient;

  private constructor(folder: string, vision: Vision) {
    this.#folder = folder;
    this.#vision = vision;
    this.#client = new VisionClient(this.#vision.sockets, systemClock);
  }

  static async open(): Promise<Stage> {
    makeModels();
    const folder = mkdtempSync(join(tmpdir(), 'nazar-stage-'));
    const options = { runDir: folder, logsDir: folder, version: 'bench', clock: systemClock };
    const more = { hosts: 1, log: createLog('silent'), packId: measuredPack.id };
    const stage = new Stage(folder, await Vision.open({ ...options, ...more }));
    while (stage.#client.reachable === 0) await systemClock.wait(20);
    return stage;
  }

  /** Where films may be written; they are removed at the end. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** Shows the film to a camera, with these people enrolled; `main`: the film is of its sub-stream. */
  async show(film: string, people: readonly Enrolled[], main: Main | null = null): Promise<Shown> {
    const screening = new Screening(this.#vision, this.#client, people);
    const before = await this.#cpuMs();
    await screening.show(film, main);
    const cpuMs = (await this.#cpuMs()) - before;
    return { ...(await screening.end()), cpuMs };
  }

  /** The processor time of this process and the vision host. */
  async #cpuMs(): Promise<number> {
    const { user, system } = process.cpuUsage();
    const [host] = await this.#vision.health();
    return (user + system) / 1000 + (host?.stats?.cpuMs ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.#vision[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
