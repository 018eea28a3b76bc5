/**
 * Entry of the process of one recording folder, started by `lib/folder/folder-process.ts`: it alone waits while the disk
 * of that folder hangs. It has a socket to the server from its parent and ends as soon as that is closed.
 */
import { answerCalls } from '#lib/folder/calls.ts';
import { answerParent } from '#lib/parent.ts';
import { closingFunctions } from '#media/mp4/closing-function.ts';

// Leaving in good order waits for the calls that hang; there is nothing here to put in order.
answerParent(answerCalls(closingFunctions), undefined, () => process.kill(process.pid, 'SIGKILL'));
