/** How it is with a camera, as one line: a dot in its colour and the sentence. */
import { cx } from '#lib/class-names.ts';
import type { CameraState, StateTone } from './camera-state.ts';

const dots: Record<StateTone, string> = {
  neutral: 'bg-line-strong',
  success: 'bg-success',
  info: 'bg-info',
  warning: 'bg-unrecognized',
  danger: 'bg-danger',
};

export interface CameraStateLineProps {
  state: CameraState;
  id?: string | undefined;
  /** Changes are read out: for the one camera a page is about. */
  announce?: boolean;
  className?: string | undefined;
}

export function CameraStateLine({ state, id, announce, className }: CameraStateLineProps) {
  const { sentence, tone } = state;
  return (
    <p
      id={id}
      role={announce === true ? 'status' : undefined}
      data-camera-state={tone}
      className={cx('flex items-baseline gap-2 text-meta', className ?? 'text-muted')}
    >
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', dots[tone])} />
      <span className="min-w-0">{sentence}</span>
    </p>
  );
}
