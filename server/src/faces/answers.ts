/** A person in the form that the contract answers. */
import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import { mayOpenPerson, type Scope } from '#http/scope.ts';
import type { ListedImage, ListedPerson } from './person-store.ts';
import type { SimilarPerson } from './similar.ts';

export function asFace(
  scope: Scope,
  row: ListedPerson,
  images: readonly ListedImage[],
  similar: readonly SimilarPerson[],
): Face {
  const address = (image: ListedImage) => `/secure-api/faces/${row.id}/images/${image.id}/`;
  // The card of a person does not show the photo of another person.
  const main = images.find(({ is_aside }) => !is_aside) ?? images[0];
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
      usable: isUsed(image),
      fault: image.fault,
      doubt: doubtOf(scope, image),
    })),
    description: row.description,
    email: row.email,
    phone: row.phone,
    position: row.position,
    notes: row.notes,
    is_active: row.is_active,
    is_demo: row.is_demo,
    usable_images: images.filter(isUsed).length,
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

const isUsed = ({ fault, is_aside }: ListedImage): boolean => fault === null && !is_aside;

/** The person whom a photo fits better is only shown to users who may open that person. */
function doubtOf(scope: Scope, image: ListedImage): FaceImage['doubt'] {
  const { doubt: reason, doubt_person, is_aside, fits_name, fits_added_by } = image;
  if (reason === null) return null;
  const isNameable = fits_name !== null && mayOpenPerson(scope, fits_added_by);
  return {
    reason,
    set_aside: is_aside,
    face: isNameable ? doubt_person : null,
    name: isNameable ? fits_name : null,
  };
}
