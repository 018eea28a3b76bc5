/** Cameras with which something did not work, each with why. */
export interface FailedCamera {
  readonly key: string;
  readonly name: string;
  readonly why: string | null;
}

export function FailedList({ failed }: { failed: readonly FailedCamera[] }) {
  return (
    <ul className="grid gap-2 text-ui">
      {failed.map(({ key, name, why }) => (
        <li key={key}>
          <span className="font-medium break-words">{name}</span>
          <span className="block text-meta text-muted">{why}</span>
        </li>
      ))}
    </ul>
  );
}
