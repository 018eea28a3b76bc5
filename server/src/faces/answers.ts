/** A person in the form that the contract answers (ENT-014). */
import type { Face } from '@nazar/contract/faces.ts';
import type { ListedImage, ListedPerson } from './person-store.ts';
import type { SimilarPerson } from './similar.ts';

export function asFace(
  row: ListedPerson,
  images: readonly ListedImage[],
  similar: readonly SimilarPerson[],
): Face {
  const address = (image: ListedImage) => `/secure-api/faces/${row.id}/images/${image.id}/`;
  const [main] = images;
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    category: row.category_id,
    category_name: row.category_name,
    category_color: row.category_color,
    image: main ? address(main) : null,
    images: images.map((image) => ({
      id: image.id,
      image: address(image),
      usable: image.fault === null,
      fault: image.fault,
    })),
    description: row.description,
    email: row.email,
    phone: row.phone,
    position: row.position,
    notes: row.notes,
    is_active: row.is_active,
    is_demo: row.is_demo,
    usable_images: images.filter(({ fault }) => fault === null).length,
    similar: similar.map(({ person, probability }) => ({
      face: person.personId,
      name: person.name,
      probability,
    })),
    created_by: row.created_by,
    created_by_name: row.created_by_name,
    created_at: row.created_at.toISOString(),
  };
}
