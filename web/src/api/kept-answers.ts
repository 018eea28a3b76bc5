/**
 * The last answers of routes that say when nothing changed (`conditional` in the contract): their tag goes with the
 * next question, and a 304 stands for the answer kept here. In memory only, and of one account only.
 */
interface Kept {
  readonly tag: string;
  readonly reply: unknown;
}

/** A page asks for one list again and again; those before it are seldom asked for once more. */
const most = 16;

const answers = new Map<string, Kept>();

export const keptAnswer = (url: string): Kept | undefined => answers.get(url);

/** Without a tag there is nothing to ask with. */
export function keepAnswer(url: string, tag: string | null, reply: unknown): void {
  answers.delete(url);
  if (tag === null) return;
  answers.set(url, { tag, reply });
  const [oldest] = answers.keys();
  if (answers.size > most && oldest !== undefined) answers.delete(oldest);
}

/** Called at sign-out, and when the reader starts or stops seeing as another user. */
export const forgetAnswers = (): void => answers.clear();
