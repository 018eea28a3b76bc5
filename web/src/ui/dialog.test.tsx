/** What was typed into a dialog is not lost by a key or a press beside it. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { hasUnsaved, useUnsaved } from '#lib/unsaved.ts';
import { everySentence } from '#testing/every-sentence.ts';
import { Checkbox } from './checkbox.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { FormActions } from './form-actions.tsx';

beforeAll(everySentence);

interface TwoStepsProps {
  onClose: () => void;
  hasPhoto?: boolean;
}

function Photo() {
  useUnsaved(() => true);
  return <p>A photo</p>;
}

/** A form of two steps, and a search that belongs to no form. */
function TwoSteps({ onClose, hasPhoto = false }: TwoStepsProps) {
  const [step, setStep] = useState<'first' | 'second' | 'done'>('first');
  return (
    <Dialog open title="Add" onClose={onClose}>
      {hasPhoto && <Photo />}
      <TextField label="Find" type="search" />
      {step === 'done' ? (
        <p>Added</p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setStep(step === 'first' ? 'second' : 'done');
          }}
        >
          {step === 'first' && <TextField label="Name" defaultValue="Hall" />}
          {step === 'second' && <Checkbox label="Record" />}
          <FormActions label="Next" busy={false} onCancel={onClose} />
        </form>
      )}
    </Dialog>
  );
}

async function open(props: Omit<TwoStepsProps, 'onClose'> = {}) {
  const closed = vi.fn();
  render(<TwoSteps {...props} onClose={closed} />);
  await screen.findByRole('dialog', { name: 'Add' });
  return { person: userEvent.setup({ pointerEventsCheck: 0 }), closed };
}

const question = 'Discard your changes?';

test('Escape closes a dialog in which nothing was typed, or only a search', async () => {
  const { person, closed } = await open();
  await person.type(screen.getByLabelText('Find'), 'hall');
  await person.keyboard('{Escape}');
  expect(closed).toHaveBeenCalledTimes(1);
  expect(screen.queryByText(question)).not.toBeInTheDocument();
});

test('Escape asks where something was typed; what was typed stays, or goes when one says so', async () => {
  const { person, closed } = await open();
  await person.type(screen.getByLabelText('Name'), 'way');
  expect(hasUnsaved()).toBe(true);
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText('Name')).toHaveValue('Hallway');
  expect(closed).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Close' }));
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(closed).toHaveBeenCalledTimes(1);
});

test('a press beside the dialog asks, too', async () => {
  const { person, closed } = await open();
  await person.type(screen.getByLabelText('Name'), 'way');
  await person.click(document.body);
  expect(await screen.findByText(question)).toBeInTheDocument();
  expect(closed).not.toHaveBeenCalled();
});

test('what was typed and taken back is nothing to lose, and Cancel says what it does', async () => {
  const { person, closed } = await open();
  await person.type(screen.getByLabelText('Name'), 'x{Backspace}');
  expect(hasUnsaved()).toBe(false);
  await person.type(screen.getByLabelText('Name'), 'x');
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(closed).toHaveBeenCalledTimes(1);
});

test('an earlier step of the same form is remembered; a form that was sent and is gone is not', async () => {
  const { person } = await open();
  await person.type(screen.getByLabelText('Name'), 'way');
  await person.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByLabelText('Record')).toBeInTheDocument();
  expect(hasUnsaved()).toBe(true);
  await person.click(screen.getByLabelText('Record'));
  await person.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('Added')).toBeInTheDocument();
  expect(hasUnsaved()).toBe(false);
});

test('what stands in no field says by itself that it is not saved', async () => {
  const { person, closed } = await open({ hasPhoto: true });
  await person.keyboard('{Escape}');
  expect(await screen.findByText(question)).toBeInTheDocument();
  expect(closed).not.toHaveBeenCalled();
});
