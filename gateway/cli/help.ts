import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'

const usageOf = ({ name, operands }: Command) => [name, ...operands.map(operand => `<${operand}>`)].join(' ')

const WIDTH = Math.max(...COMMANDS.map(command => usageOf(command).length)) + 2
const line = (usage: string, summary: string) => `  ${usage.padEnd(WIDTH)}${summary}\n`

export const HELP = `Usage: parley <command>

${line('start', 'prepare what is missing and run the gateway')}${COMMANDS.map(command => line(usageOf(command), command.summary)).join('')}
"parley help <command>" tells more. Settings are read from the environment, PARLEY_DATA and PARLEY_KEY among them.
Exit codes: 0 all is well, 1 something was found or failed, 2 the command was not understood.
`

export const helpOf = (command: Command): string => {
  const options = Object.keys(command.options).length > 0 ? ' [options]' : ''
  return `Usage: parley ${usageOf(command)}${options}\n\n${command.summary}\n\n${command.help}\n`
}
