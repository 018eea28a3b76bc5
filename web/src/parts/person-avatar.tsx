import { initials } from '#lib/initials.ts';
import { Avatar } from '#ui/avatar.tsx';
import { SecureImage } from './secure-image.tsx';
import { thumbnail } from './thumbnail.ts';

export interface PersonAvatarProps {
  person: { first_name: string; last_name: string; image: string | null };
}

/** Decoration: the name stands beside it. */
export function PersonAvatar({ person }: PersonAvatarProps) {
  return (
    <SecureImage
      src={person.image === null ? null : thumbnail(person.image)}
      alt=""
      className="size-9 rounded-full"
      fallback={<Avatar initials={initials(person.first_name, person.last_name)} />}
    />
  );
}
