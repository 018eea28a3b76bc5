import { recognitionRoutes } from '@nazar/contract/recognition.ts';
import { maxFileBytes } from '@nazar/contract/uploads.ts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { answer, refusal } from '#testing/server.ts';
import { aCheckedPhoto } from '#testing/usual-replies.ts';
import { appendPhotos, asChosen, type ChosenFile } from './chosen-file.ts';
import { PhotoInput } from './photo-input.tsx';

beforeAll(everySentence);

const jpeg = (name: string): File => new File(['x'], name, { type: 'image/jpeg' });

function Form({ faceId }: { faceId?: string }) {
  const [photos, setPhotos] = useState<readonly ChosenFile[]>([]);
  return <PhotoInput photos={photos} faceId={faceId} onChange={setPhotos} />;
}

async function choose(...files: File[]): Promise<HTMLElement> {
  await userEvent.upload(screen.getByLabelText(/Choose photos/), files);
  return screen.findByRole('list', { name: 'Chosen photos' });
}

test('~FACE-042, ~NSH-027 each chosen photo says at once what it is worth, and why not', async () => {
  const checked = Promise.withResolvers<void>();
  answer(recognitionRoutes.check, async () => {
    await checked.promise;
    return aCheckedPhoto();
  });
  render(<Form />);
  const list = await choose(jpeg('good.jpg'));
  expect(within(list).getByText('Checking the photo...')).toBeVisible();
  checked.resolve();
  expect(await within(list).findByText('Can be used for recognition, quality 84%')).toBeVisible();
  const asked = answer(recognitionRoutes.check, aCheckedPhoto({ faces: [], fault: 'too_small' }));
  await choose(jpeg('far.jpg'));
  expect(await within(list).findByText('The face is too small in this picture.')).toBeVisible();
  expect(within(list).getByText('Can be used for recognition, quality 84%')).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('people it may be besides, and a photo that is there already, are pointed out', async () => {
  const id = '0198a7b0-0000-7000-8000-000000000001';
  const seen = answer(
    recognitionRoutes.check,
    aCheckedPhoto({
      duplicate_of: id,
      similar: [{ face: id, name: 'Ayla Example', probability: 0.931 }],
    }),
  );
  render(<Form faceId={id} />);
  const list = await choose(jpeg('again.jpg'));
  expect(
    await within(list).findByText('May be the same person as Ayla Example (93%)'),
  ).toBeVisible();
  expect(within(list).getByText(/^Almost identical to an existing photo/)).toBeVisible();
  expect(seen[0]?.url.searchParams.get('face')).toBe(id);
});

test('a photo that cannot be checked now says so and can be sent all the same', async () => {
  answer(recognitionRoutes.check, () => refusal(503, 'unavailable', 'Not available just now.'));
  render(<Form />);
  const list = await choose(jpeg('any.jpg'));
  expect(await within(list).findByText(/Not available just now/)).toBeVisible();
  await userEvent.click(within(list).getByRole('button', { name: 'Remove any.jpg' }));
  expect(screen.queryByRole('list', { name: 'Chosen photos' })).toBeNull();
});

test('a photo that lay on its side is shown upright, with its faces where they are then', async () => {
  answer(recognitionRoutes.check, aCheckedPhoto({ turned: 90, width: 480, height: 640 }));
  render(<Form />);
  const list = await choose(jpeg('scan.jpg'));
  expect(await within(list).findByText('The photo was turned upright.')).toBeVisible();
  const image = within(list).getByRole('img', { name: 'scan.jpg' });
  expect(image.style.transform).toContain('rotate(90deg)');
  expect(Number.parseFloat(image.style.width)).toBeCloseTo(133.3, 1);
  expect(image.parentElement?.style.aspectRatio).toBe('480 / 640');
});

test('a photo that the browser cannot show is shown as the server read it, upright, and none is pretended until then', async () => {
  const checked = Promise.withResolvers<void>();
  const asked = answer(recognitionRoutes.check, async ({ url }) => {
    await checked.promise;
    const preview = url.searchParams.get('preview') === 'true' ? btoa('jpeg') : null;
    const faces = [0.1, 0.6].map((x) => ({ ...aCheckedPhoto().faces[0]!, x }));
    return aCheckedPhoto({ preview, faces, turned: 90, width: 480, height: 640 });
  });
  const shown: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${shown.push(blob as Blob)}`);
  render(<Form />);
  const list = await choose(new File(['x'], 'IMG_1.HEIC', { type: 'image/heic' }));
  expect(within(list).getByText('No preview')).toBeVisible();
  expect(within(list).queryByRole('img')).toBeNull();
  checked.resolve();
  const image = await within(list).findByRole('img', { name: 'IMG_1.HEIC' });
  expect(image.style.transform).toBe('');
  expect(within(list).queryByText('No preview')).toBeNull();
  expect(shown.length).toBe(3);
  for (const blob of shown) expect([blob.type, await blob.text()]).toEqual(['image/jpeg', 'jpeg']);
  expect(asked).toHaveLength(1);
  vi.restoreAllMocks();
});

test('a file whose picture fails in the browser is asked for, whatever it is called', async () => {
  const asked = answer(recognitionRoutes.check, ({ url }) =>
    aCheckedPhoto({ preview: url.searchParams.has('preview') ? btoa('jpeg') : null }),
  );
  render(<Form />);
  const list = await choose(jpeg('really-heic.jpg'));
  fireEvent.error(within(list).getByRole('img', { name: 'really-heic.jpg' }));
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('preview')).toBe('true'));
  expect(await within(list).findByRole('img', { name: 'really-heic.jpg' })).toBeVisible();
});

test('only as much of a file that is too large is sent as shows so', () => {
  const large = new File([new Uint8Array(maxFileBytes + 5)], 'film.mov');
  const form = appendPhotos(new FormData(), [asChosen(large), asChosen(jpeg('a.jpg'))]);
  const sizes = form
    .getAll('uploaded_images')
    .map((file) => [(file as File).name, (file as File).size]);
  expect(sizes).toEqual([
    ['film.mov', maxFileBytes + 1],
    ['a.jpg', 1],
  ]);
});

/** Two people, neither of whom is meant before one is chosen. */
const [left, right] = [0.1, 0.6].map((x) => ({ ...aCheckedPhoto().faces[0]!, x, chosen: false }));
const several = aCheckedPhoto({ faces: [left!, right!], fault: 'several_faces' });

test('where a photo shows several people one press says who is meant, by mouse and by keyboard, and the photo is judged anew', async () => {
  const asked = answer(recognitionRoutes.check, ({ url }) => {
    const index = url.searchParams.get('face_index');
    if (index === null) return several;
    const faces = several.faces.map((face, i) => ({ ...face, chosen: String(i) === index }));
    return { ...several, faces, fault: null };
  });
  render(<Form />);
  const list = await choose(jpeg('group.jpg'));
  const group = await within(list).findByRole('group', { name: 'Which face is the person?' });
  expect(within(list).getByText(/There's more than one face in this picture/)).toBeVisible();
  const radios = within(group).getAllByRole('radio');
  expect(radios.map((radio) => radio.getAttribute('aria-label'))).toEqual([
    'Face 1 of 2',
    'Face 2 of 2',
  ]);
  for (const radio of radios) expect(radio).not.toBeChecked();
  await userEvent.click(radios[1]!);
  expect(radios[1]).toBeChecked();
  expect(await within(list).findByText('Can be used for recognition, quality 84%')).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  expect(radios[0]).toBeChecked();
  await vi.waitFor(() =>
    expect(asked.map(({ url }) => url.searchParams.get('face_index'))).toEqual([null, '1', '0']),
  );
});

test('a photo of one person asks nothing', async () => {
  render(<Form />);
  const list = await choose(jpeg('one.jpg'));
  expect(await within(list).findByText(/Can be used for recognition/)).toBeVisible();
  expect(within(list).queryByRole('radio')).toBeNull();
});

test('the choices are sent in the order of the photos, and nothing where there were none', () => {
  const [one, two] = [asChosen(jpeg('1.jpg')), asChosen(jpeg('2.jpg'))];
  const sent = appendPhotos(new FormData(), [one, { ...two, faceIndex: 0 }, one]);
  expect(sent.getAll('uploaded_images')).toHaveLength(3);
  expect(sent.get('face_index')).toBe(',0,');
  expect(appendPhotos(new FormData(), [one, two]).has('face_index')).toBe(false);
});

test('a photo waits while the server is busy, and is checked again by itself', async () => {
  let isBusy = true;
  const asked = answer(recognitionRoutes.check, () => {
    if (!isBusy) return aCheckedPhoto();
    return refusal(503, 'busy', 'The server is busy right now.', { 'Retry-After': '0' });
  });
  render(<Form />);
  const list = await choose(jpeg('any.jpg'));
  expect(await within(list).findByText('Waiting: the server is busy...')).toBeVisible();
  isBusy = false;
  expect(await within(list).findByText('Can be used for recognition, quality 84%')).toBeVisible();
  expect(asked.length).toBeGreaterThan(1);
});

test('a file that is refused says why, and not that it is checked later', async () => {
  answer(recognitionRoutes.check, () => refusal(415, 'image_type', "This isn't a photo."));
  render(<Form />);
  const list = await choose(jpeg('any.jpg'));
  expect(await within(list).findByText("This isn't a photo.")).toBeVisible();
  expect(within(list).queryByText(/when you save/)).toBeNull();
});
