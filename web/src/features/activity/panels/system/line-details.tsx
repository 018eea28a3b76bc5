/** What else an entry says, field by field; a stack keeps its lines. */
export function LineDetails({ details }: { details: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="grid grid-cols-1 gap-2 text-meta">
      {fieldsOf(details).map(([name, text]) => (
        <div key={name} className="grid grid-cols-1 gap-0.5">
          <dt className="font-medium text-muted">{name}</dt>
          <dd className="min-w-0 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `{ err: { type, stack } }` has the fields `err.type` and `err.stack`; deeper ones stay as they are written. */
export function fieldsOf(details: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(details).flatMap(([name, value]): [string, string][] =>
    isObject(value)
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, textOf(one)])
      : [[name, textOf(value)]],
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
