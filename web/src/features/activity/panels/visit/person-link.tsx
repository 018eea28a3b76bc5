import { Link } from '@tanstack/react-router';

export const wayLook =
  '-my-0.5 inline-block py-0.5 text-primary-text underline-offset-4 [overflow-wrap:anywhere] hover:underline touch:my-0 touch:py-3';

export interface PersonLinkProps {
  /** Null where the reader may not open the person. */
  id: string | null;
  name: string;
}

export function PersonLink({ id, name }: PersonLinkProps) {
  if (id === null) return <span className="[overflow-wrap:anywhere]">{name}</span>;
  return (
    <Link to="/face-database" search={{ person: id }} className={wayLook}>
      {name}
    </Link>
  );
}
