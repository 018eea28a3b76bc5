/** The other engine's side: answers questions one after another. */
import type { Picture } from '../../../server/src/vision/picture.ts';
import type { SeenFace } from '../contestant.ts';
import { costOf } from '../cost.ts';
import type { Answer, Question } from './messages.ts';

export interface Served {
  readonly detect: (picture: Picture) => Promise<readonly SeenFace[]>;
  readonly embed: () => Promise<unknown>;
  /** Makes a gallery of that many vectors and returns a search in it. */
  readonly gallery: (vectors: number) => () => unknown;
}

export function serve(served: Served): void {
  process.on('message', (question: Question) => {
    void answer(served, question)
      .catch((error: unknown): Answer => ({ error: String(error) }))
      .then((it) => process.send?.(it));
  });
  process.send?.({ ready: true });
}

async function answer(served: Served, question: Question): Promise<Answer> {
  if (question.kind === 'detect') return { faces: await served.detect(question.picture) };
  return { cost: await costOf(question.times, asked(served, question)) };
}

function asked(served: Served, question: Exclude<Question, { kind: 'detect' }>): () => unknown {
  if (question.kind === 'cost') return () => served.detect(question.picture);
  return question.kind === 'embed' ? served.embed : served.gallery(question.vectors);
}
