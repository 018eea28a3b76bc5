/**
 * Entry of the process of one recording folder, started by `lib/folder/folder-process.ts`: only this process waits when
 * the disk of that folder hangs. It gets a socket to the server from its parent and ends as soon as that is closed.
 */
import { answerCalls } from '#lib/folder/calls.ts';
import { answerParent } from '#lib/parent.ts';
import { closingFunctions } from '#media/mp4/closing-function.ts';

// A clean exit would wait for the calls that hang; this process has nothing to clean up.
answerParent(answerCalls(closingFunctions), undefined, () => process.kill(process.pid, 'SIGKILL'));
