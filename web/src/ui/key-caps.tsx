/** Keys as they look on a keyboard, each with what it does. */
export interface KeyCapsProps {
  rows: readonly { readonly caps: readonly string[]; readonly label: string }[];
}

export function KeyCaps({ rows }: KeyCapsProps) {
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-ui">
      {rows.map(({ caps, label }) => (
        <div key={label} className="contents">
          <dt className="flex gap-1">
            {caps.map((cap) => (
              <kbd
                key={cap}
                className="rounded-control border border-line bg-surface-2 px-1.5 font-medium"
              >
                {cap}
              </kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  );
}
