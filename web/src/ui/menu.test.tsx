import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Menu, MenuItem } from './menu.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

function Menus() {
  return (
    <>
      {['Hall', 'Porch'].map((name) => (
        <Menu key={name} trigger={<button type="button">{name}</button>}>
          <MenuItem onSelect={() => undefined}>{`Open ${name}`}</MenuItem>
        </Menu>
      ))}
    </>
  );
}

/** A closing menu gives the focus back in a task of its own: everything that waits has then been done. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('a menu that is opened again while it gives the focus back stays open', async () => {
  render(<Menus />);
  const person = userEvent.setup();
  const button = (): HTMLElement => screen.getByRole('button', { name: 'Hall' });
  await person.click(button());
  const entry = await screen.findByRole('menuitem', { name: 'Open Hall' });
  await waitFor(() => expect(screen.getByRole('menu')).toHaveFocus());
  fireEvent.keyDown(entry, { key: 'Escape' });
  fireEvent.pointerDown(button(), { button: 0, ctrlKey: false });
  await nextTask();
  expect(screen.getByRole('menuitem', { name: 'Open Hall' })).toBeInTheDocument();
});

test('a menu whose appearing still runs while it closes can be opened again', async () => {
  const styles = window.getComputedStyle.bind(window);
  let animationName = 'none';
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, pseudo) =>
    Object.defineProperty(styles(element, pseudo), 'animationName', { get: () => animationName }),
  );
  render(<Menus />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Hall' }));
  const entry = await screen.findByRole('menuitem', { name: 'Open Hall' });
  await nextTask();
  animationName = 'appear';
  fireEvent.keyDown(entry, { key: 'Escape' });
  expect(screen.getByRole('menu')).toHaveAttribute('data-state', 'closed');
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Hall' }), {
    button: 0,
    ctrlKey: false,
  });
  await nextTask();
  expect(screen.getByRole('menu')).toHaveAttribute('data-state', 'open');
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Hall' }), {
    button: 0,
    ctrlKey: false,
  });
  await nextTask();
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a menu closes when the focus goes to something else, another menu too', async () => {
  render(<Menus />);
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Hall' }));
  await screen.findByRole('menuitem', { name: 'Open Hall' });
  await nextTask();
  screen.getByRole('button', { name: 'Porch' }).focus();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});
