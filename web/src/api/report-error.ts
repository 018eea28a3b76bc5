/** Where errors of this browser go: to the system log, and not to the console. */
import type { Kind } from './error-reports.ts';

/**
 * The id of the entry in the system log. Null: the error was expected, or was not reported. Never throws, so that no
 * report leads to another one.
 *
 * `asked`: the path in the route table of what was asked for, without the ids in it.
 */
export async function reportError(kind: Kind, error: unknown, asked = ''): Promise<string | null> {
  try {
    const { tellError } = await import('./error-reports.ts');
    return await tellError(kind, error, asked);
  } catch {
    return null;
  }
}

function tell(event: Event, kind: Kind, error: unknown): void {
  event.preventDefault();
  void reportError(kind, error);
}

/** Watches what nothing else has caught, from now on. */
export function startErrorReports(): void {
  // Without an error it is another origin's script, or a layout that settles a frame later.
  addEventListener('error', (event) => event.error && tell(event, 'exception', event.error));
  addEventListener('unhandledrejection', (event) => tell(event, 'rejection', event.reason));
}
