import { useEffect, useRef } from 'react';

/** The heading of a step takes the focus, so that a screen reader says where one has come. */
export function StepHead({ title, text }: { title: string; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="mb-5">
      <h1
        ref={heading}
        tabIndex={-1}
        className="text-title font-semibold tracking-tight outline-none"
      >
        {title}
      </h1>
      <p className="mt-1 text-ui text-muted">{text}</p>
    </div>
  );
}
