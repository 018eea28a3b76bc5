/** The only code that writes to a terminal (`laws/terminal.test.ts`): it prints escaped text only. */
import type { TerminalText } from './terminal-text.ts';

export function print(text: TerminalText): void {
  process.stdout.write(text.text);
}

/** To standard error. */
export function complain(text: TerminalText): void {
  process.stderr.write(text.text);
}
