import { CONNECTION, CONNECTION_HELP } from './bot/api-client.ts'
import type { Command } from './command.ts'

const text = { type: 'string' } as const

/** All that `parley` knows beside `start`, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'verify',
    operands: [],
    options: { seal: text, key: text },
    summary: 'check that nothing in the log was altered',
    help: `Reads every event, recomputes the chain of every stream and checks every seal; works while the gateway runs.
  --seal <file>   also hold the log against seals kept elsewhere (parley seals export)
  --key <key>     accept seals of this public key alone (parley seals key)
Exit code 1 when anything is amiss; each finding is a line of its own.`,
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'seals export',
    operands: [],
    options: { output: text },
    summary: 'write the seals of the log, to be kept elsewhere',
    help: `One line of JSON for each seal; works while the gateway runs.
  --output <file>   write there instead of to standard output`,
    load: async () => (await import('./seals.ts')).exportAll,
  },
  {
    name: 'seals key',
    operands: [],
    options: {},
    summary: 'print the public key that seals are checked with',
    help: 'It may be given to anyone. Needs PARLEY_KEY or the key file; works while the gateway runs.',
    load: async () => (await import('./seals.ts')).publicKey,
  },
  {
    name: 'backup',
    operands: ['file or folder'],
    options: {},
    summary: 'write a consistent copy of everything while the gateway runs',
    help: `A name that ends in .tar becomes one file, any other a folder; neither may be there yet. It holds the events, the wrapped
keys, the list of forgotten people and, unless PARLEY_KEY is set, the key file: keep it as safe as that.`,
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    operands: ['file or folder'],
    options: { forgotten: text },
    summary: 'bring a backup back into an empty PARLEY_DATA',
    help: `The folder may hold forgotten.txt and parley.key, nothing else of Parley. People on either list of the forgotten are
forgotten again. Ends with verifying the chain and building the read models.
  --forgotten <file>   a newer list of forgotten people`,
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'copy',
    operands: [],
    options: { to: text },
    summary: 'copy everything to another store: from the folder to EventStoreDB, or back',
    help: `Copies from where the settings say (PARLEY_DATA, or EVENTSTORE_URL) to the other kind of store: the same events in the same
order, what was removed or limited, and the keys, which need PARLEY_KEY. No gateway may run on either. It may be interrupted and
started again: what is there already is checked and kept. Ends with verifying the copy; nothing is taken from where it came.
  --to <store>   esdb://… or kurrentdb://…, or with EVENTSTORE_URL a folder; empty, or holding the beginning of this copy`,
    load: async () => (await import('./copy.ts')).copy,
  },
  {
    name: 'export',
    operands: [],
    options: {
      entity: text,
      entityid: text,
      user: text,
      action: text,
      from: text,
      to: text,
      hierarchy: text,
      output: text,
    },
    summary: 'write the audit as JSON Lines',
    help: `Newest first, with the filters of the API: --entity, --entityid, --user, --action, --from, --to, --hierarchy.
Beside a running gateway it writes what that shows; otherwise it brings the read models up to date first.
  --output <file>   write there instead of to standard output`,
    load: async () => (await import('./export.ts')).exportAudit,
  },
  {
    name: 'rebuild',
    operands: [],
    options: {},
    summary: 'make the read models anew from the log',
    help: 'The gateway must not be running.',
    load: async () => (await import('./read-models.ts')).rebuild,
  },
  {
    name: 'metrics verify',
    operands: [],
    options: { bot: text, from: text, to: text },
    summary: 'count the figures of conversations anew and compare them',
    help: `Reads all events of conversations and compares each counter; works while the gateway runs.
  --bot <id>             compare those of one bot alone
  --from, --to <day>     compare those of these days alone
Exit code 1 when a counter differs; each of the first 20 is a line of its own.`,
    load: async () => (await import('./verify.ts')).verifyFigures,
  },
  {
    name: 'key rotate',
    operands: [],
    options: {},
    summary: 'wrap all keys with a new PARLEY_KEY',
    help: `The gateway must not be running. Where the key lies in a file, that is replaced. Where PARLEY_KEY is set, the new key is
taken from PARLEY_NEW_KEY or made and printed once: set PARLEY_KEY to it before the next start. Older backups need the old key.`,
    load: async () => (await import('./secrets.ts')).rotate,
  },
  {
    name: 'user reset-admin',
    operands: [],
    options: {},
    summary: 'make a new password for the administrator and unlock them',
    help: 'The gateway must not be running.',
    load: async () => (await import('./secrets.ts')).resetAdmin,
  },
  {
    name: 'pull',
    operands: ['folder'],
    options: { ...CONNECTION, bot: text, force: { type: 'boolean' } },
    summary: 'write a bot of a server into a folder, one file per dialog, for git',
    help: `Files that were changed since the last pull keep their changes. Where both sides changed the same thing, nothing is
written and the exit code is 4 (docs/bots-in-git.md).
  --bot <id>            the bot, at the first pull into a folder
  --force               take what the server has where both sides changed
${CONNECTION_HELP}`,
    load: async () => (await import('./bot/pull.ts')).pull,
  },
  {
    name: 'test',
    operands: ['folder'],
    options: { ...CONNECTION, at: text, gating: { type: 'boolean' } },
    summary: 'run the conversation tests of a folder’s bot on the server',
    help: `Runs what the server has: push first. Exit code 1 when a test fails.
  --at <moment>         draft (default), published, or a time such as 2026-11-30T12:00:00Z
  --gating              those alone that gate publishing
${CONNECTION_HELP}`,
    load: async () => (await import('./bot/run-tests.ts')).runTests,
  },
  {
    name: 'push',
    operands: ['folder'],
    options: { ...CONNECTION, yes: { type: 'boolean' }, publish: { type: 'boolean' }, base: text },
    summary: 'show what a folder would change on the server, and change it with --yes',
    help: `Without --yes it prints the preview and ends with exit code 3 when there are changes. It is refused with exit code 4 when
the server has changes that the folder lacks.
  --yes                 make the changes
  --publish             then publish the changed dialogs and handlers, and those whose draft is newer than what is published;
                        exit code 1 when that is refused
  --base <folder>       the folder as it was last pushed, e.g. a worktree of the deployed commit; default parley.lock.json
${CONNECTION_HELP}`,
    load: async () => (await import('./bot/push.ts')).push,
  },
]
