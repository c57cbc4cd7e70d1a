import { readSettings } from '../settings.ts'

const HELP = `Usage: parley <command>

  start              prepare what is missing and run the gateway
  user reset-admin   make a new password for the administrator and unlock them; the gateway must not be running

Settings are read from the environment, PARLEY_DATA and PARLEY_KEY among them. See README.md.
`

/** Exit codes: 0 done, 1 it failed, 2 no such command. */
const run = async (args: readonly string[]): Promise<number> => {
  const command = args.join(' ')
  if (command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(HELP)
    return 0
  }
  if (command === 'user reset-admin') {
    const { resetAdmin } = await import('./user.ts')
    return resetAdmin(readSettings(process.env))
  }
  process.stderr.write(command === '' ? HELP : `There is no command "${command}".\n\n${HELP}`)
  return 2
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
