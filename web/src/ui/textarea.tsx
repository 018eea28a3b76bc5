import type { ComponentProps } from 'react';
import { cx } from '#lib/class-names.ts';

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cx('control resize-y', className)} {...rest} />;
}
