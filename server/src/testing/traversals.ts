/** Ways out of a folder, as they stand in an address: steps, separators and targets in every dress (C-507). */

const steps = [
  '../',
  '..%2f',
  '..%2F',
  '%2e%2e/',
  '%2e%2e%2f',
  '.%2e/',
  '%2E%2E%5C',
  '..\\',
  '..%5c',
  '....//',
  '..;/',
  '..%252f',
  '%252e%252e%252f',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '..%ef%bc%8f',
  '%uff0e%uff0e/',
  '..%00/',
  '.../',
  '/../',
  './../',
  '%2e/%2e%2e/',
];
const targets = ['secret.txt', 'etc/passwd', 'dist-secret.txt', 'proc/self/environ'];
const endings = ['', '%00.jpg', '?', '%23', '/'];
const wholes = [
  '/etc/passwd',
  '//etc/passwd',
  '%2fetc%2fpasswd',
  'file:///etc/passwd',
  'file%3a%2f%2f%2fetc%2fpasswd',
  'C:%5cwindows%5cwin.ini',
  '%5c%5cserver%5cshare',
  '~/.ssh/id_rsa',
  '%00',
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '.env',
  '.git/config',
  'index.html%00',
  'assets/../../secret.txt',
  'assets/%2e%2e/%2e%2e/secret.txt',
  'assets/..%2f..%2fsecret.txt',
  '-secret.txt',
];

/** One to eight steps deep, because no attacker knows how deep a folder lies. */
export const traversals: readonly string[] = [
  ...new Set([
    ...wholes,
    ...steps.flatMap((step, i) =>
      targets.flatMap((target, j) =>
        [1, 2, 3, 8].map((depth) => step.repeat(depth) + target + endings[(i + j + depth) % 5]!),
      ),
    ),
  ]),
];
