/** The colours of the theme, as a canvas needs them. */
import type { RecordingType } from '@nazar/contract/recording-states.ts';

export interface Palette {
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly strong: string;
  readonly text: string;
  readonly quiet: string;
  readonly known: string;
  readonly unknown: string;
  readonly mark: string;
  readonly now: string;
  readonly types: Readonly<Record<RecordingType, string>>;
}

/** Each has three times the contrast of the ground, in both themes. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ground: color('--bg'),
    surface: color('--surface'),
    line: color('--border'),
    strong: color('--border-strong'),
    text: color('--fg'),
    quiet: color('--fg-muted'),
    known: color('--recognized-text'),
    unknown: color('--unrecognized-text'),
    mark: color('--info-text'),
    now: color('--success-text'),
    types: {
      continuous: color('--c1'),
      manual: color('--c6'),
      scheduled: color('--success'),
      motion: color('--c4'),
      test: color('--c9'),
    },
  };
}
