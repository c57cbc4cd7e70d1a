import { parseArgs } from 'node:util'
import { readSettings } from '../settings.ts'
import { type Command, type ExitCode, WrongUsage } from './command.ts'
import { COMMANDS } from './commands.ts'

const usageOf = ({ name, operands }: Command) => [name, ...operands.map(operand => `<${operand}>`)].join(' ')

const WIDTH = Math.max(...COMMANDS.map(command => usageOf(command).length)) + 2
const line = (usage: string, summary: string) => `  ${usage.padEnd(WIDTH)}${summary}\n`

const HELP = `Usage: parley <command>

${line('start', 'prepare what is missing and run the gateway')}${COMMANDS.map(command => line(usageOf(command), command.summary)).join('')}
"parley help <command>" tells more. Settings are read from the environment, PARLEY_DATA and PARLEY_KEY among them.
Exit codes: 0 all is well, 1 something was found or failed, 2 the command was not understood. Of push and pull also
3 changes wait for --yes, 4 the server has newer changes.
`

const helpOf = (command: Command): string => {
  const options = Object.keys(command.options).length > 0 ? ' [options]' : ''
  return `Usage: parley ${usageOf(command)}${options}\n\n${command.summary}\n\n${command.help}\n`
}

const isHelp = (word: string | undefined) => word === 'help' || word === '--help' || word === '-h'

const commandOf = (words: readonly string[]): Command | undefined =>
  COMMANDS.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))

const misunderstood = (message: string, help: string): ExitCode => {
  process.stderr.write(`${message}\n\n${help}`)
  return 2
}

const run = async (words: readonly string[]): Promise<ExitCode> => {
  const isAsked = isHelp(words[0])
  const command = commandOf(isAsked ? words.slice(1) : words)
  if (isAsked || words.some(word => word === '--help' || word === '-h')) {
    process.stdout.write(command === undefined ? HELP : helpOf(command))
    return 0
  }
  if (words.length === 0) return misunderstood('What is to be done?', HELP)
  if (command === undefined) return misunderstood(`There is no command "${words.join(' ')}".`, HELP)
  try {
    const { values, positionals } = read(command, words.slice(command.name.split(' ').length))
    const act = await command.load()
    const settings = readSettings(process.env)
    return await act({ settings, environment: process.env, options: values, operands: positionals })
  } catch (error) {
    if (error instanceof WrongUsage) return misunderstood(error.message, helpOf(command))
    throw error
  }
}

const read = (command: Command, args: readonly string[]) => {
  const { values, positionals } = parsed(command, args)
  const { operands } = command
  if (positionals.length < operands.length) throw new WrongUsage(`The ${operands[positionals.length]} is missing.`)
  if (positionals.length > operands.length)
    throw new WrongUsage(`"${positionals[operands.length]}" is one word too many.`)
  return { values: values as Readonly<Record<string, string | boolean | undefined>>, positionals }
}

const parsed = ({ options }: Command, args: readonly string[]) => {
  try {
    return parseArgs({ args: joined(options, args), options, allowPositionals: true })
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

/** A key may begin with a dash: as a separate word it would be parsed as an option. */
const joined = (options: Command['options'], args: readonly string[]): string[] => {
  const words: string[] = []
  for (const word of args) {
    const last = words.at(-1) ?? ''
    const takes = last.startsWith('--') && options[last.slice(2)]?.type === 'string'
    const isOption = word.startsWith('--') && Object.hasOwn(options, word.slice(2).split('=', 1)[0] ?? '')
    if (takes && word.startsWith('-') && !isOption) words[words.length - 1] = `${last}=${word}`
    else words.push(word)
  }
  return words
}

// A reader that has seen enough (head, less) ends the writing quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
