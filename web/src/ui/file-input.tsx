import { ImagePlus } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';

export interface FileInputProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'onChange' | 'value'
> {
  onFiles: (files: File[]) => void;
  /** What to do, in one line. */
  prompt: string;
  hint?: ReactNode;
  /** What kind of file it is; absent: a picture. */
  icon?: ReactNode;
}

/** A place to drop files on, or to press and choose. */
export function FileInput({
  onFiles,
  prompt,
  hint,
  icon = <ImagePlus />,
  className,
  ...rest
}: FileInputProps) {
  const [over, setOver] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an extra; the input inside is the control
    <label
      className={cx(
        'grid justify-items-center gap-1 rounded-card border border-dashed p-6 text-center transition-colors duration-100',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
        over
          ? 'border-primary bg-primary-soft'
          : 'border-line-strong bg-surface hover:bg-surface-2',
        className,
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <span aria-hidden className="text-muted [&_svg]:size-6">
        {icon}
      </span>
      <span className="text-ui font-medium">{prompt}</span>
      {hint !== undefined && <span className="text-meta text-muted">{hint}</span>}
      <input
        type="file"
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file may be chosen again after it was taken away.
          event.target.value = '';
        }}
        {...rest}
      />
    </label>
  );
}
