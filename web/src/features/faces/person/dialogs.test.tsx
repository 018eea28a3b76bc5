import {
  faceRoutes,
  type EnrolledFace,
  type Face,
  type RefusedImage,
} from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aConsent, aFace, anId, aPhoto, aUser, aVisit } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const employee = { id: '33333333-3333-4333-8333-333333333333', name: 'employee', color: '#2563eb' };
const vip = { id: '33333333-3333-4333-8333-333333333334', name: 'vip', color: '#d97706' };
const blurred = () => aPhoto({ usable: false, fault: 'blurred' as const });
const enrolled = (face: Face, ...refused_images: RefusedImage[]): EnrolledFace => {
  return { ...face, refused_images };
};
const refusedImage = (over: Partial<RefusedImage> = {}): RefusedImage => {
  return { index: 1, name: 'b.jpg', code: 'image_empty', detail: 'This file is empty.', ...over };
};
const jpeg = (name: string): File => new File(['x'], name, { type: 'image/jpeg' });

beforeEach(() => {
  answer(faceRoutes.categories, { results: [employee, vip] });
  answer(privacyRoutes.consent, aConsent());
  answer(faceRoutes.image, new HttpResponse('jpeg'));
  answer(visitRoutes.picture, new HttpResponse('jpeg'));
});
afterEach(() => vi.useRealTimers());

async function showPerson(face: Face, user = aUser()): Promise<UserEvent> {
  answer(faceRoutes.list, { count: 1, results: [face] });
  answer(faceRoutes.read, face);
  // After `/:id/`, which would answer for it too: the newest answer is asked first.
  answer(faceRoutes.categories, { results: [employee, vip] });
  await renderApp({ path: '/face-database', user });
  await screen.findByText('1 person');
  return userEvent.setup();
}

async function openAdd(): Promise<UserEvent> {
  const person = await showPerson(aFace());
  await person.click(screen.getByRole('button', { name: 'Add Face' }));
  await screen.findByRole('dialog', { name: 'Add Face' });
  return person;
}

const dialog = () => within(screen.getAllByRole('dialog').at(-1) ?? document.body);
const press = (person: UserEvent, name: string) =>
  person.click(dialog().getByRole('button', { name }));

async function fill(person: UserEvent): Promise<void> {
  await person.type(dialog().getByLabelText(/^First name/), 'Nigar');
  await person.type(dialog().getByLabelText(/^Last name/), 'Veli');
  await dialog().findByRole('option', { name: 'VIP' });
  await person.selectOptions(dialog().getByLabelText(/^Category/), 'VIP');
}

const addPhotos = (person: UserEvent, ...names: string[]) =>
  person.upload(dialog().getByLabelText(/^Choose photos/), names.map(jpeg));

test('FACE-004, FACE-029 Add Face in the header opens the form of a new person', async () => {
  await openAdd();
  for (const label of [/^First name/, /^Last name/, /^Category/, /^Choose photos/])
    expect(dialog().getByLabelText(label)).toBeInTheDocument();
});

test.each([
  ['FACE-043', /^First name/, 'First name is required'],
  ['FACE-044', /^Last name/, 'Last name is required'],
  ['FACE-045', /^Category/, 'Category is required'],
  ['FACE-047', /^Email/, 'Enter a valid email address'],
])(
  '%s what is wrong with %s is shown beside it, and nothing is sent',
  async (_, label, sentence) => {
    const person = await openAdd();
    const sent = answer(faceRoutes.add, enrolled(aFace()));
    await person.type(dialog().getByLabelText('Email'), 'nobody');
    expect(dialog().queryByText(sentence)).toBeNull();
    await press(person, 'Add Face');
    await waitFor(() =>
      expect(dialog().getByLabelText(label)).toHaveAccessibleDescription(
        expect.stringContaining(sentence),
      ),
    );
    expect(sent).toEqual([]);
  },
);

test('FACE-046 a person without a photo is not sent', async () => {
  const person = await openAdd();
  const sent = answer(faceRoutes.add, enrolled(aFace()));
  await fill(person);
  await press(person, 'Add Face');
  expect(await dialog().findByText('At least one photo is required')).toBeInTheDocument();
  expect(sent).toEqual([]);
  await addPhotos(person, 'a.jpg');
  await press(person, 'Add Face');
  await waitFor(() => expect(sent).toHaveLength(1));
});

test('ENT-015, FACE-042, ~NSH-027 a person travels with all fields and several photos; one taken away stays here', async () => {
  const person = await openAdd();
  const sent = answer(faceRoutes.add, enrolled(aFace({ first_name: 'Nigar', last_name: 'Veli' })));
  await fill(person);
  await person.type(dialog().getByLabelText('Position'), 'Guide');
  await person.type(dialog().getByLabelText('Email'), 'nigar@example.com');
  await person.type(dialog().getByLabelText('Phone'), '+994 50 1');
  await person.type(dialog().getByLabelText('Description'), 'Tall');
  await person.type(dialog().getByLabelText('Notes'), 'Badge 3');
  await person.click(dialog().getByRole('switch', { name: /^Active/ }));
  await addPhotos(person, 'a.jpg', 'b.jpg', 'c.jpg');
  await person.click(dialog().getByRole('button', { name: 'Remove b.jpg' }));
  await press(person, 'Add Face');
  await waitFor(() => expect(sent).toHaveLength(1));
  const body = String(sent[0]?.body);
  const pairs = [...body.matchAll(/name="(\w+)"(?:; filename="([^"]+)")?[^]*?\r\n\r\n([^\r]*)/g)];
  expect(pairs.map(([, name, file, value]) => [name, file ?? value])).toEqual([
    ['first_name', 'Nigar'],
    ['last_name', 'Veli'],
    ['category', vip.id],
    ['description', 'Tall'],
    ['email', 'nigar@example.com'],
    ['phone', '+994 50 1'],
    ['position', 'Guide'],
    ['notes', 'Badge 3'],
    ['is_active', 'false'],
    ['uploaded_images', 'a.jpg'],
    ['uploaded_images', 'c.jpg'],
  ]);
});

test('FACE-051, ~CON-005 success closes the dialog, is shown for three seconds, and the list is asked again', async () => {
  const person = await openAdd();
  const list = answer(faceRoutes.list, { count: 0, results: [] });
  answer(faceRoutes.add, enrolled(aFace({ first_name: 'Nigar', last_name: 'Veli' })));
  await fill(person);
  await addPhotos(person, 'a.jpg');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await press(userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) }), 'Add Face');
  const notice = 'Nigar Veli was added. 1 photo can be used for recognition.';
  expect(await screen.findByText(notice)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(list.length).toBeGreaterThan(0);
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(screen.queryByText(notice)).not.toBeInTheDocument();
});

test('each photo shows whether it can be used, and others can be sent at once', async () => {
  const person = await openAdd();
  const added = aFace({ first_name: 'Nigar', last_name: 'Veli', images: [blurred()] });
  answer(faceRoutes.add, enrolled(added));
  await fill(person);
  await addPhotos(person, 'a.jpg');
  await press(person, 'Add Face');
  expect(await dialog().findByText(/no photo can be used/)).toBeInTheDocument();
  expect(dialog().getByText(/The picture is too blurred\./)).toBeInTheDocument();
  await press(person, 'Add photos');
  await press(person, 'Add photos');
  expect(await dialog().findByText('Please select photos')).toBeInTheDocument();
  const images = [...added.images, aPhoto()];
  answer(faceRoutes.addImages, enrolled({ ...added, images, usable_images: 1 }));
  await addPhotos(person, 'better.jpg');
  await press(person, 'Add photos');
  expect(await screen.findByText('Nigar Veli: 1 photo added for recognition.')).toBeInTheDocument();
});

test('a file that is no photo is named with its reason, and it is clear that the others are saved', async () => {
  const person = await openAdd();
  const name = '<b>tərcümə</b>.jpg';
  const added = aFace({ first_name: 'Nigar', last_name: 'Veli', images: [aPhoto(), aPhoto()] });
  answer(
    faceRoutes.add,
    enrolled(
      { ...added, usable_images: 2 },
      refusedImage({ name }),
      refusedImage({ index: 3, name: '' }),
    ),
  );
  await fill(person);
  await addPhotos(person, 'a.jpg', 'b.jpg', 'c.jpg', 'd.jpg');
  await press(person, 'Add Face');
  expect(
    await dialog().findByText('Saved. 2 photos can be used for recognition.'),
  ).toBeInTheDocument();
  const list = within(
    dialog().getByRole('list', { name: /^2 files weren't saved\. The other photos are saved/ }),
  );
  const [first, second] = list.getAllByRole('listitem');
  expect(first).toHaveTextContent(`${name}This file is empty.`);
  expect(first!.querySelector('bdi')).toHaveTextContent(name);
  expect(second).toHaveTextContent('Photo 4This file is empty.');
  await press(person, 'Add photos');
  answer(
    faceRoutes.addImages,
    enrolled({ ...added, images: [...added.images, aPhoto()] }, refusedImage()),
  );
  await addPhotos(person, 'e.jpg', 'b.jpg');
  await press(person, 'Add photos');
  expect(await dialog().findByText(/^1 file wasn't saved/)).toBeInTheDocument();
  expect(dialog().getByText('Saved. 1 photo can be used for recognition.')).toBeInTheDocument();
});

test('where no file could be saved the form stays, with each file and its reason', async () => {
  const person = await openAdd();
  const sentences = ['a.jpg: This file is empty.', 'b.jpg: This file is empty.'];
  answer(faceRoutes.add, fieldRefusal({ uploaded_images: sentences }));
  await fill(person);
  await addPhotos(person, 'a.jpg', 'b.jpg');
  await press(person, 'Add Face');
  const alert = within(await dialog().findByRole('alert'));
  expect(alert.getByText(/^No photo was saved/)).toBeInTheDocument();
  expect(alert.getAllByRole('listitem').map((item) => item.textContent)).toEqual(sentences);
  expect(dialog().getByLabelText(/^First name/)).toHaveValue('Nigar');
});

test('FACE-050, ~CFL-036 a refusal lands on its field, the rest is shown as the server says it', async () => {
  const person = await openAdd();
  answer(faceRoutes.add, fieldRefusal({ phone: ['Not a phone.'] }));
  await fill(person);
  await addPhotos(person, 'a.jpg');
  await press(person, 'Add Face');
  expect(await dialog().findByText('Not a phone.')).toBeInTheDocument();
  expect(dialog().getByLabelText('Phone')).toBeInvalid();
  answer(faceRoutes.add, refusal(413, 'image_too_large', 'The photo file is too large.'));
  await press(person, 'Add Face');
  expect(await dialog().findByText('The photo file is too large.')).toBeInTheDocument();
});

test('FACE-064, CON-028 an administrator adds a category on the way; blue unless chosen', async () => {
  const person = await openAdd();
  const guest = { id: '33333333-3333-4333-8333-333333333335', name: 'guest', color: '#2563eb' };
  const sent = answer(faceRoutes.addCategory, () => {
    answer(faceRoutes.categories, { results: [employee, vip, guest] });
    return guest;
  });
  await press(person, 'New category');
  await press(person, 'Add category');
  expect(await dialog().findByText('Category name is required')).toBeInTheDocument();
  await person.type(dialog().getByRole('textbox', { name: /New category/ }), 'guest{Enter}');
  await waitFor(() => expect(sent[0]?.body).toEqual({ name: 'guest', color: '#2563eb' }));
  await waitFor(() => expect(dialog().getByLabelText(/^Category/)).toHaveValue(guest.id));
});

test('FACE-064 the form that edits a person offers a new category, too, of the color that was chosen', async () => {
  const person = await showPerson(aFace());
  await person.click(screen.getByRole('button', { name: 'View details of Leyla Orucova' }));
  await screen.findByRole('dialog', { name: 'Leyla Orucova' });
  await press(person, 'Edit');
  await screen.findByRole('dialog', { name: 'Edit Leyla Orucova' });
  const sent = answer(faceRoutes.addCategory, { id: anId(), name: 'guest', color: '#d97706' });
  await press(person, 'New category');
  fireEvent.change(dialog().getByLabelText('Category color'), { target: { value: '#d97706' } });
  await person.type(dialog().getByRole('textbox', { name: /New category/ }), 'guest{Enter}');
  await waitFor(() => expect(sent[0]?.body).toEqual({ name: 'guest', color: '#d97706' }));
});

test('FACE-064 no one else is offered a new category', async () => {
  const user = aUser({ role: 'operator', is_staff: false, is_superuser: false });
  const person = await showPerson(aFace(), user);
  await person.click(screen.getByRole('button', { name: 'Add Face' }));
  await screen.findByRole('dialog', { name: 'Add Face' });
  expect(dialog().queryByRole('button', { name: 'New category' })).not.toBeInTheDocument();
});

test('"this face I am seeing now": an unknown visit is chosen as the first photo', async () => {
  const visit = aVisit();
  const asked = answer(visitRoutes.faceLogs, {
    count: 2,
    results: [visit, aVisit({ face_image_url: null })],
  });
  const person = await openAdd();
  const sent = answer(faceRoutes.add, enrolled(aFace()));
  await fill(person);
  await press(person, 'Choose a person in view');
  const strip = await dialog().findByRole('list', { name: 'Unknown visits' });
  expect(within(strip).getAllByRole('button')).toHaveLength(1);
  expect(asked[0]?.url.search).toBe('?is_recognized=false&page=1&limit=8');
  await person.click(within(strip).getByRole('button'));
  expect(dialog().getByText('The picture from Lobby becomes the first photo.')).toBeInTheDocument();
  await press(person, 'Add Face');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ sighting: visit.id }));
});

test('FACE-062, =NSH-010, NSH-022 an unknown visit becomes a person', async () => {
  const visit = aVisit();
  answer(visitRoutes.faceLogs, {
    count: 2,
    results: [visit, aVisit({ camera_name: 'Yard', face_image_url: null })],
  });
  await renderApp({ path: '/face-database?view=visits', user: aUser() });
  const person = userEvent.setup();
  const list = await screen.findByRole('list', { name: 'Unknown visits' });
  expect(within(list).getByRole('link', { name: 'Lobby' })).toHaveAttribute(
    'href',
    `/cameras/${visit.camera_id}`,
  );
  expect(list.querySelector('time')).toHaveAttribute('datetime', visit.timestamp);
  expect(within(list).getByText('No picture saved')).toBeInTheDocument();
  await person.click(within(list).getByRole('button', { name: 'Add as person' }));
  const sent = answer(faceRoutes.add, enrolled(aFace()));
  await screen.findByRole('dialog', { name: 'Add Face' });
  await fill(person);
  await press(person, 'Add Face');
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ sighting: visit.id }));
  await waitFor(() => expect(location.search).toBe('?view=visits'));
});

test('FACE-030 edit begins with what is known and sends what it became', async () => {
  const face = aFace({ phone: '1', notes: 'old' });
  const person = await showPerson(face);
  const sent = answer(faceRoutes.change, { ...face, notes: 'new' });
  await person.click(screen.getByRole('button', { name: 'Edit Leyla Orucova' }));
  await screen.findByRole('dialog');
  const notes = await dialog().findByLabelText('Notes');
  await waitFor(() => expect(dialog().getByLabelText(/^Category/)).toHaveValue(employee.id));
  await person.clear(notes);
  await person.type(notes, 'new');
  await press(person, 'Save');
  expect(await screen.findByText('Leyla Orucova was saved.')).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({ first_name: 'Leyla', phone: '1', notes: 'new' });
});

test('ROL-011 the sentence of a 403 is shown as it is', async () => {
  const person = await showPerson(aFace());
  const sentence = 'Permission denied: You can only update your own faces';
  answer(faceRoutes.change, refusal(403, 'face_update_forbidden', sentence));
  await person.click(screen.getByRole('button', { name: 'Edit Leyla Orucova' }));
  await screen.findByRole('dialog');
  await waitFor(() => expect(dialog().getByLabelText(/^Category/)).toHaveValue(employee.id));
  await press(person, 'Save');
  expect(await dialog().findByText(sentence)).toBeInTheDocument();
});

test('FACE-041 a photo is removed alone, after a clear word that it is for good', async () => {
  const face = aFace({ images: [aPhoto(), blurred()] });
  const person = await showPerson(face);
  const sent = answer(faceRoutes.removeImage, () => {
    const left = { ...face, images: face.images.slice(0, 1) };
    answer(faceRoutes.read, left);
    return left;
  });
  await person.click(screen.getByRole('button', { name: 'Edit Leyla Orucova' }));
  await screen.findByRole('dialog');
  await press(person, 'Delete photo 2');
  const alert = within(await screen.findByRole('alertdialog', { name: 'Delete photo 2?' }));
  expect(alert.getByText(/is permanently deleted/)).toBeInTheDocument();
  await person.click(alert.getByRole('button', { name: 'Delete photo' }));
  await waitFor(() => expect(sent[0]?.url.search).toBe(`?image_id=${face.images[1]?.id}`));
  await waitFor(() =>
    expect(dialog().queryByRole('button', { name: 'Delete photo 2' })).not.toBeInTheDocument(),
  );
});

test('FACE-031 add photos names the person and says what became of them', async () => {
  const face = aFace();
  const person = await showPerson(face);
  answer(faceRoutes.addImages, enrolled({ ...face, images: [...face.images, blurred()] }));
  await person.click(screen.getByRole('button', { name: 'Add photos of Leyla Orucova' }));
  expect(await screen.findByRole('dialog', { name: 'Add photos' })).toBeInTheDocument();
  await addPhotos(person, 'a.jpg');
  await press(person, 'Add photos');
  const results = await dialog().findByRole('list', { name: 'Photo results' });
  expect(within(results).getAllByRole('listitem')).toHaveLength(1);
  expect(within(results).getByText(/The picture is too blurred\./)).toBeInTheDocument();
});

test('~FACE-032, FACE-037, FACE-038, FACE-039 details link what can be written and called, and leave out what is empty', async () => {
  const face = aFace({ email: 'l@example.com', phone: '+994 (50) 1', notes: 'Badge 14.' });
  const person = await showPerson(face);
  await person.click(screen.getByRole('button', { name: 'View details of Leyla Orucova' }));
  await screen.findByRole('dialog', { name: 'Leyla Orucova' });
  expect(dialog().getByRole('link', { name: 'l@example.com' })).toHaveAttribute(
    'href',
    'mailto:l@example.com',
  );
  expect(dialog().getByRole('link', { name: '+994 (50) 1' })).toHaveAttribute(
    'href',
    'tel:+994501',
  );
  expect(dialog().getByText('Badge 14.')).toBeInTheDocument();
  expect(dialog().queryByText('Description')).not.toBeInTheDocument();
  await press(person, 'Edit');
  expect(await screen.findByRole('dialog', { name: 'Edit Leyla Orucova' })).toBeInTheDocument();
  await person.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Leyla Orucova' })).toBeInTheDocument();
  await waitFor(() => expect(dialog().getByRole('button', { name: 'Edit' })).toHaveFocus());
  expect(dialog().getByRole('button', { name: 'Add photos' })).toBeInTheDocument();
});

test('FACE-040 the photos turn by keyboard, each with its usability', async () => {
  const person = await showPerson(aFace({ images: [aPhoto(), blurred(), aPhoto()] }));
  await person.click(screen.getByRole('button', { name: 'View details of Leyla Orucova' }));
  const second = await screen.findByRole('button', { name: 'Photo 2' });
  expect(dialog().getByText('Used for recognition')).toBeInTheDocument();
  await person.click(second);
  expect(second).toHaveAttribute('aria-current', 'true');
  expect(dialog().getByText(/The picture is too blurred\./)).toBeInTheDocument();
  await person.keyboard('{ArrowRight}');
  expect(dialog().getByRole('button', { name: 'Photo 3' })).toHaveAttribute('aria-current', 'true');
  await person.keyboard('{ArrowRight}');
  expect(dialog().getByRole('button', { name: 'Photo 1' })).toHaveAttribute('aria-current', 'true');
  await person.keyboard('{End}');
  expect(dialog().getByRole('button', { name: 'Photo 3' })).toHaveAttribute('aria-current', 'true');
});

test('FACE-033 deleting names the person, what goes with them, and that it is for good', async () => {
  const face = aFace({ images: [aPhoto(), aPhoto()] });
  const person = await showPerson(face);
  const sentence = 'Permission denied: You can only delete your own faces';
  answer(faceRoutes.remove, refusal(403, 'face_delete_forbidden', sentence));
  await person.click(screen.getByRole('button', { name: 'Delete Leyla Orucova' }));
  const alert = within(await screen.findByRole('alertdialog', { name: 'Delete Leyla Orucova?' }));
  expect(alert.getByText(/^2 photos and the face data .* cannot be undone\.$/)).toBeInTheDocument();
  expect(alert.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await person.click(alert.getByRole('button', { name: 'Delete person' }));
  expect(await alert.findByText(sentence)).toBeInTheDocument();
  const gone = answer(faceRoutes.remove, undefined as never);
  await person.click(alert.getByRole('button', { name: 'Delete person' }));
  expect(await screen.findByText('Leyla Orucova was deleted.')).toBeInTheDocument();
  expect(gone[0]?.params['id']).toBe(face.id);
});
