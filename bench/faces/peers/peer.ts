/** The run's side of another engine: a process that answers one question at a time. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { distance } from '../../../server/src/vision/embed.ts';
import type { Picture } from '../../../server/src/vision/picture.ts';
import type { Contestant, SeenFace } from '../contestant.ts';
import type { Enrolled, Matcher } from '../open-set.ts';
import type { Answer, Cost, Question } from './messages.ts';

const humanName = 'human';
/** Far more than a question takes on a busy machine: a run that waits for ever does not say for what. */
const answerMs = 10 * 60_000;

export class Peer implements Contestant, AsyncDisposable {
  readonly name: string;
  /** The distance that both libraries' own comparisons use. */
  readonly distance = distance;
  readonly matcher: Matcher;
  /** Whether its recognition network can be run alone. */
  readonly hasNetwork: boolean;
  readonly #child: ChildProcess;

  private constructor(name: string, child: ChildProcess, far: (distances: number[]) => number) {
    this.name = name;
    this.hasNetwork = name !== humanName;
    this.#child = child;
    this.matcher = (gallery) => (probe) =>
      gallery
        .map(({ person, vectors }: Enrolled) => ({
          person,
          distance: far(vectors.map((vector) => distance(probe, vector))),
        }))
        .reduce((best, it) => (it.distance < best.distance ? it : best));
  }

  /** Its FaceMatcher takes the mean over a person's photos. */
  static faceApi(this: void, detector: 'ssd' | 'tiny' = 'ssd'): Promise<Peer> {
    return Peer.#start(`face-api, ${detector}`, 'face-api.ts', [detector], mean);
  }

  /** Its `match.find` takes the nearest of all photos. */
  static human(this: void): Promise<Peer> {
    return Peer.#start(humanName, 'human.ts', [], (distances) => Math.min(...distances));
  }

  static async #start(
    name: string,
    program: string,
    words: string[],
    far: (distances: number[]) => number,
  ): Promise<Peer> {
    const child = fork(join(import.meta.dirname, program), words, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await answerOf(child, name, 'start');
    return new Peer(name, child, far);
  }

  async detect(picture: Picture): Promise<readonly SeenFace[]> {
    const answer = await this.#ask({ kind: 'detect', picture });
    return 'faces' in answer ? answer.faces : [];
  }

  async cost(question: Exclude<Question, { kind: 'detect' }>): Promise<Cost> {
    const answer = await this.#ask(question);
    if (!('cost' in answer)) throw new Error(`${this.name} answered without a cost`);
    return answer.cost;
  }

  async #ask(question: Question): Promise<Answer> {
    this.#child.send(question);
    const answer = (await answerOf(this.#child, this.name, question.kind)) as Answer;
    if ('error' in answer) throw new Error(`${this.name}: ${answer.error}`);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** Its next message. Throws when it ends instead, or is silent for `answerMs`. */
async function answerOf(child: ChildProcess, name: string, question: string): Promise<unknown> {
  const done = new AbortController();
  try {
    const { signal } = done;
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then(([code]: unknown[]) => {
        throw new Error(`${name} ended with ${String(code)}`);
      }),
      wait(answerMs, null, { signal }).then(() => {
        throw new Error(`${name} has not answered "${question}" for ${answerMs / 60_000} minutes`);
      }),
    ]);
  } finally {
    done.abort();
  }
}

const mean = (distances: number[]): number => distances.reduce((a, b) => a + b) / distances.length;
