import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { systemLogRoutes } from '@nazar/contract/system-logs.ts';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetReports } from '#api/error-reports.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { Boundary } from './page-broken.tsx';

const id = '01930f5e-0000-7000-8000-000000000007';

beforeEach(() => {
  forgetReports();
  // The root of a test prints what a boundary catches; that of main.tsx does not.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

test('CFL-042 a page that cannot be drawn says the number of its entry in the system log', async () => {
  const reports = answer(systemLogRoutes.reportBrowserError, { id });
  answer(cameraRoutes.list, { count: 1, results: [null] } as never);
  await renderApp({ path: '/cameras', user: aUser() });
  const screenInstead = await screen.findByRole('alert');
  expect(screenInstead).toHaveTextContent('Something went wrong on this page');
  const number = `Report number for your administrator: ${id}`;
  expect(await screen.findByText(number)).toBeInTheDocument();
  expect(reports).toHaveLength(1);
  expect(reports[0]?.body).toMatchObject({ kind: 'render', page: '/cameras' });
});

test('CFL-042 it names no number when the server cannot be reached, and another try draws the page again', async () => {
  localStorage.setItem('auth-token', 'good');
  const reports = answer(systemLogRoutes.reportBrowserError, refusal(500, 'internal', ''));
  let isBroken = true;
  function Page() {
    if (isBroken) throw new Error('broken');
    return <p>whole</p>;
  }
  render(
    <Boundary>
      <Page />
    </Boundary>,
  );
  await vi.waitFor(() => expect(reports).toHaveLength(1));
  expect(screen.queryByText(/Report number/)).toBeNull();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByText('whole')).toBeInTheDocument();
});
