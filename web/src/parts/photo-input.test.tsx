import { recognitionRoutes } from '@nazar/contract/recognition.ts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { answer, refusal } from '#testing/server.ts';
import { aCheckedPhoto } from '#testing/usual-replies.ts';
import { PhotoInput } from './photo-input.tsx';

beforeAll(everySentence);

const jpeg = (name: string): File => new File(['x'], name, { type: 'image/jpeg' });

function Form({ faceId }: { faceId?: string }) {
  const [photos, setPhotos] = useState<readonly File[]>([]);
  return <PhotoInput photos={photos} faceId={faceId} onChange={setPhotos} />;
}

async function choose(...files: File[]): Promise<HTMLElement> {
  await userEvent.upload(screen.getByLabelText(/Choose photos/), files);
  return screen.findByRole('list', { name: 'Chosen photos' });
}

test('~FACE-042, ~NSH-027 each chosen photo says at once what it is worth, and why not', async () => {
  const looked = Promise.withResolvers<void>();
  answer(recognitionRoutes.check, async () => {
    await looked.promise;
    return aCheckedPhoto();
  });
  render(<Form />);
  const list = await choose(jpeg('good.jpg'));
  expect(within(list).getByText('Checking the photo...')).toBeVisible();
  looked.resolve();
  expect(await within(list).findByText('Can be used for recognition, quality 84%')).toBeVisible();
  const asked = answer(recognitionRoutes.check, aCheckedPhoto({ faces: [], fault: 'too_small' }));
  await choose(jpeg('far.jpg'));
  expect(await within(list).findByText('The face is too small in this picture.')).toBeVisible();
  expect(within(list).getByText('Can be used for recognition, quality 84%')).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('who it may be besides, and a photo that is there already, are pointed out', async () => {
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

test('a photo that cannot be looked at now says so and can be sent all the same', async () => {
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
