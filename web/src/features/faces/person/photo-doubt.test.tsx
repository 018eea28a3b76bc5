import { faceRoutes, type Face, type FaceImage } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aConsent, aFace, aPhoto, anId, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

beforeEach(() => {
  answer(privacyRoutes.consent, aConsent());
  answer(faceRoutes.image, new HttpResponse('jpeg'));
});

const inDoubt = (doubt: NonNullable<FaceImage['doubt']>): FaceImage =>
  aPhoto({ usable: !doubt.set_aside, doubt });
const aside = inDoubt({
  reason: 'fits_other_person',
  set_aside: true,
  face: anId(),
  name: 'Rauf Aliyev',
});
const unclear = inDoubt({
  reason: 'disagrees_with_others',
  set_aside: false,
  face: null,
  name: null,
});

async function showDetails(face: Face, user = aUser()) {
  answer(faceRoutes.list, { count: 1, results: [face] });
  answer(faceRoutes.read, face);
  answer(faceRoutes.categories, { results: [] });
  await renderApp({ path: '/face-database', user });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Leyla Orucova' }));
  return { person, dialog: within(await screen.findByRole('dialog', { name: 'Leyla Orucova' })) };
}

test('a photo that was set aside says why on the card and beside it, and one press uses it again', async () => {
  const face = aFace({ images: [aside, aPhoto(), aPhoto()] });
  const { person, dialog } = await showDetails(face);
  expect(screen.getAllByText('1 photo may show someone else.')).toHaveLength(2);
  const reason = 'Set aside, not used for recognition. The face looks more like Rauf Aliyev.';
  expect(dialog.getByText(reason)).toBeInTheDocument();
  const used = aFace({ ...face, images: [aPhoto({ id: aside.id }), ...face.images.slice(1)] });
  const sent = answer(faceRoutes.useImage, () => {
    answer(faceRoutes.read, used);
    answer(faceRoutes.categories, { results: [] });
    return used;
  });
  await person.click(dialog.getByRole('button', { name: 'Use it again: Photo 1' }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ image_id: aside.id }));
  expect(await dialog.findByText('Used for recognition')).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: /Use it again/ })).not.toBeInTheDocument();
});

test('both photos that disagree ask for a check and are used; a refusal is shown', async () => {
  const { person, dialog } = await showDetails(
    aFace({ images: [unclear, { ...unclear, id: anId() }] }),
  );
  expect(screen.getAllByText('2 photos may show someone else.')).toHaveLength(2);
  const reason =
    "Used for recognition, but check this photo. The face doesn't match the other photos of this person.";
  expect(dialog.getByText(reason)).toBeInTheDocument();
  answer(faceRoutes.useImage, refusal(404, 'image_not_found', 'The photo was deleted.'));
  await person.click(dialog.getByRole('button', { name: 'Keep using it: Photo 1' }));
  expect(await dialog.findByText('The photo was deleted.')).toBeInTheDocument();
});

test('users who may not see the other person do not read whom it fits, and users who may not change the person are offered nothing', async () => {
  const hidden = inDoubt({ reason: 'fits_other_person', set_aside: true, face: null, name: null });
  const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
  const face = aFace({ images: [hidden, aPhoto()], created_by: anId() });
  const { dialog } = await showDetails(face, user);
  const reason = 'Set aside, not used for recognition. The face looks more like someone else.';
  expect(dialog.getByText(reason)).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: /Use it again/ })).not.toBeInTheDocument();
});
