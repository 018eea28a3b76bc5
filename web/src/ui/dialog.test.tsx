/** What was typed into a dialog is not lost by a key or a press beside it, and it opens where one types. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
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
  // No element of before: what another test found out about the body is remembered with it.
  const beside = document.body.appendChild(document.createElement('p'));
  onTestFinished(() => beside.remove());
  await person.click(beside);
  expect(await screen.findByText(question)).toBeInTheDocument();
  expect(closed).not.toHaveBeenCalled();
});

test('text that was typed and taken back is nothing to lose, and Cancel says what it does', async () => {
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

test('a choice outside of fields says by itself that it is not saved', async () => {
  const { person, closed } = await open({ hasPhoto: true });
  await person.keyboard('{Escape}');
  expect(await screen.findByText(question)).toBeInTheDocument();
  expect(closed).not.toHaveBeenCalled();
});

/** A form that comes once its answer is here. */
function Late({ isHere }: { isHere: boolean }) {
  return (
    <Dialog open title="Edit" onClose={() => undefined}>
      <input aria-label="Link" readOnly value="https://nazar.example.org" />
      {isHere && (
        <form>
          <TextField label="Off" disabled />
          <TextField label="Name" />
        </form>
      )}
    </Dialog>
  );
}

test('a dialog opens with the focus in the first field of its form, not on what is beside it', async () => {
  await open();
  expect(screen.getByLabelText('Name')).toHaveFocus();
});

test('a form that comes later gets the focus, unless one has moved it meanwhile', async () => {
  const { rerender, unmount } = render(<Late isHere={false} />);
  expect(await screen.findByRole('button', { name: 'Close' })).toHaveFocus();
  rerender(<Late isHere />);
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
  unmount();
  const { rerender: again } = render(<Late isHere={false} />);
  await screen.findByRole('dialog');
  screen.getByLabelText('Link').focus();
  again(<Late isHere />);
  await screen.findByLabelText('Name');
  expect(screen.getByLabelText('Link')).toHaveFocus();
});

/** As pages do it: what is closed is not drawn any more. */
function Opener() {
  const [isOpen, setOpen] = useState(false);
  return (
    <main tabIndex={-1}>
      <button type="button" onClick={() => setOpen(true)}>
        Add
      </button>
      {isOpen && <TwoSteps onClose={() => setOpen(false)} />}
    </main>
  );
}

test('the focus goes back to what opened the dialog, also after the question whether to discard', async () => {
  render(<Opener />);
  const person = userEvent.setup({ pointerEventsCheck: 0 });
  await person.click(screen.getByRole('button', { name: 'Add' }));
  await person.type(await screen.findByLabelText('Name'), 'way');
  await person.keyboard('{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toHaveFocus());
  await person.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByLabelText('Name')).toHaveFocus();
});

/** Its form takes the place of the button that asks for it. */
function Steps() {
  const [isAsked, setAsked] = useState(false);
  return (
    <Dialog open title="Who is it?" onClose={() => undefined}>
      {isAsked ? (
        <form>
          <TextField label="Name" />
        </form>
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Identify
        </button>
      )}
    </Dialog>
  );
}

test('a form that takes the place of what was pressed in the dialog gets the focus', async () => {
  render(<Steps />);
  const person = userEvent.setup({ pointerEventsCheck: 0 });
  await person.click(await screen.findByRole('button', { name: 'Identify' }));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
});
