import { faceRoutes } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { recognitionRoutes } from '@nazar/contract/recognition.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { aConsent, aFace, aPhoto, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';
import { aCheckedPhoto } from '#testing/usual-replies.ts';

const group = aPhoto({ usable: false, fault: 'several_faces' });
const face = aFace({ images: [aPhoto(), group] });
const sentence = 'No face with this number was found in the photo.';

test('a kept photo of several people asks for the face, and uses the one that was pressed; a refusal is shown', async () => {
  answer(privacyRoutes.consent, aConsent());
  answer(faceRoutes.image, new HttpResponse('jpeg'));
  answer(faceRoutes.list, { count: 1, results: [face] });
  answer(faceRoutes.read, face);
  answer(faceRoutes.categories, { results: [] });
  const [one] = aCheckedPhoto().faces;
  const faces = [0.1, 0.6].map((x) => ({ ...one!, x, chosen: false }));
  const checked = answer(recognitionRoutes.check, aCheckedPhoto({ faces, fault: 'several_faces' }));
  await renderApp({ path: '/face-database', user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Edit Leyla Orucova' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Leyla Orucova' }));
  expect(dialog.queryByRole('button', { name: 'Choose the face: Photo 1' })).toBeNull();
  await person.click(dialog.getByRole('button', { name: 'Choose the face: Photo 2' }));
  const [first, second] = await dialog.findAllByRole('radio', { name: /^Face \d of 2$/ });
  expect(checked[0]?.url.searchParams.get('face')).toBe(face.id);
  answer(recognitionRoutes.process, [
    { id: face.id, name: '', success: false, error: { error: sentence } },
  ]);
  await person.click(first!);
  expect(await dialog.findByText(sentence)).toBeVisible();
  const sent = answer(recognitionRoutes.process, () => {
    answer(faceRoutes.read, aFace({ ...face, images: [aPhoto(), aPhoto({ id: group.id })] }));
    return [{ id: face.id, name: '', success: true, error: null }];
  });
  await person.click(second!);
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({
      faces: [{ id: face.id, images: [{ id: group.id, face_index: 1 }] }],
    }),
  );
  expect(await dialog.findAllByText('Used for recognition')).toHaveLength(2);
  expect(dialog.queryByRole('radio')).toBeNull();
});
