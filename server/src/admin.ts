/**
 * `npm run admin`: accounts from the console of the machine, on a running or a stopped installation.
 *
 *   npm run admin -- create --email E --password P --role superadmin [--first-name F --last-name L]
 *   npm run admin -- reset --email E [--password P]
 */
