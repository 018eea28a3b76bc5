/** How a command ends: its exit code, and one sentence for what its caller can do something about. */
import { problemSentence } from '#http/sentences.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { complain } from '#lib/terminal/output.ts';
import { linesShown, shown, type TerminalText } from '#lib/terminal/terminal-text.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** Said when the command ended because it was stopped. */
  readonly sentence: TerminalText;
}

/** Anything but a Problem and a Refusal is a bug, and shows its stack. */
export async function exitCodeOf(
  work: () => Promise<number>,
  stopping: Stopping | null = null,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (stopping?.signal.aborted) complain(stopping.sentence);
    else complain(shown`${sentenceOf(error)}\n`);
    return 1;
  }
}

function sentenceOf(error: unknown): TerminalText {
  if (error instanceof Problem) {
    return shown`${problemSentence('en', error.code, error.params)}`;
  }
  if (error instanceof Refusal) return linesShown(error.message);
  return linesShown(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
