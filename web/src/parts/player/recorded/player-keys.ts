/**
 * Which key does what, by the place of the key (`event.code`), so that they lie alike on every keyboard. Pure.
 */
export type PlayerCommand =
  | 'toggle'
  | 'back'
  | 'ahead'
  | 'pictureBefore'
  | 'pictureAfter'
  | 'slower'
  | 'faster'
  | 'mute'
  | 'louder'
  | 'quieter'
  | 'zoomIn'
  | 'zoomOut'
  | 'zoomWhole'
  | 'panLeft'
  | 'panRight'
  | 'panUp'
  | 'panDown'
  | 'save'
  | 'fullScreen'
  | 'keys';

/** `caps` are what stands on the keys of the list: signs, or names of sentences (`recorded.cap`). */
interface KeyRow {
  readonly command: PlayerCommand;
  readonly codes: readonly string[];
  readonly shift?: boolean;
  readonly caps: readonly string[];
}

export const keyRows: readonly KeyRow[] = [
  { command: 'toggle', codes: ['Space', 'KeyK'], caps: ['space', 'K'] },
  { command: 'back', codes: ['ArrowLeft', 'KeyJ'], caps: ['←', 'J'] },
  { command: 'ahead', codes: ['ArrowRight', 'KeyL'], caps: ['→', 'L'] },
  { command: 'pictureBefore', codes: ['Comma'], caps: [','] },
  { command: 'pictureAfter', codes: ['Period'], caps: ['.'] },
  { command: 'slower', codes: ['BracketLeft'], caps: ['['] },
  { command: 'faster', codes: ['BracketRight'], caps: [']'] },
  { command: 'louder', codes: ['ArrowUp'], caps: ['↑'] },
  { command: 'quieter', codes: ['ArrowDown'], caps: ['↓'] },
  { command: 'mute', codes: ['KeyM'], caps: ['M'] },
  { command: 'zoomIn', codes: ['Equal', 'NumpadAdd'], caps: ['+'] },
  { command: 'zoomOut', codes: ['Minus', 'NumpadSubtract'], caps: ['−'] },
  { command: 'zoomWhole', codes: ['Digit0', 'Numpad0'], caps: ['0'] },
  { command: 'panLeft', codes: ['ArrowLeft'], shift: true, caps: ['shift', '←'] },
  { command: 'panRight', codes: ['ArrowRight'], shift: true, caps: ['shift', '→'] },
  { command: 'panUp', codes: ['ArrowUp'], shift: true, caps: ['shift', '↑'] },
  { command: 'panDown', codes: ['ArrowDown'], shift: true, caps: ['shift', '↓'] },
  { command: 'save', codes: ['KeyS'], caps: ['S'] },
  { command: 'fullScreen', codes: ['KeyF'], caps: ['F'] },
  { command: 'keys', codes: ['Slash'], caps: ['?'] },
];

interface Pressed {
  readonly code: string;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** Null: it does nothing here. */
export function commandOf(pressed: Pressed): PlayerCommand | null {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return null;
  // The one key that is named by its sign: it lies elsewhere on most keyboards.
  if (pressed.key === '?') return 'keys';
  const shifted = keyRows.find(
    ({ codes, shift = false }) => shift === pressed.shiftKey && codes.includes(pressed.code),
  );
  // A plus is typed with Shift on many keyboards.
  const plus = pressed.code === 'Equal' ? 'zoomIn' : null;
  return shifted?.command ?? plus;
}

/** Keys that buttons, lists, fields and sliders need themselves. */
export function isOwnKey(target: Element, code: string): boolean {
  if (target.closest('input, select, textarea, [contenteditable]') !== null) return true;
  if (target.closest('[role=slider]') !== null) return /^(Arrow|Page|Home|End)/.test(code);
  return target.closest('button, a, summary') !== null && (code === 'Space' || code === 'Enter');
}

export const speeds = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/** The next speed in that direction; the last stays. */
export function speedBeside(speed: number, direction: 1 | -1): number {
  const all: readonly number[] = speeds;
  const index = all.findIndex((one) => one >= speed);
  return all[Math.min(Math.max(0, index + direction), all.length - 1)] ?? speed;
}
