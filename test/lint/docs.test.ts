import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AGENT_SYSTEM_NAMES, agentSystem } from '#schemas/agent-system.ts'
import { CHANNEL_TYPE_NAMES, channelType } from '#schemas/channel-type.ts'
import { settingsPage } from '../../scripts/docs.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = join(ROOT, 'docs/settings.md')

test('docs/settings.md equals the page generated from the schema of settings', () => {
  expect(readFileSync(PAGE, 'utf8'), 'npm run docs writes it').toBe(settingsPage())
})

/** Rows of the first table of a page whose header begins with these columns. */
const tableOf = (page: string, ...header: readonly string[]): readonly (readonly string[])[] => {
  const lines = readFileSync(join(ROOT, 'docs', page), 'utf8').split('\n')
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim())
  const at = lines.findIndex(line => header.every((name, place) => cellsOf(line)[place] === name))
  const end = lines.findIndex((line, place) => place > at && !line.startsWith('|'))
  return lines.slice(at + 2, end).map(cellsOf)
}
const plainOf = (cell = ''): string => cell.replaceAll('`', '')

type State = 'works (contract suite)' | 'works by declared profile' | 'not available, because'

/** Faults of a table of types: another state than the declaration has, and suites that do not name the type. */
const faultsOf = (
  rows: readonly { readonly type: string; readonly state: string; readonly suite: string }[],
  states: Readonly<Record<string, State>>,
): readonly string[] => [
  ...Object.keys(states).flatMap(type => (rows.some(row => row.type === type) ? [] : [`${type} is missing`])),
  ...rows.flatMap(({ type, state, suite }) => {
    const declared = states[type]
    if (declared === undefined) return [`${type} is not declared`]
    if (!state.startsWith(declared)) return [`${type} is: ${declared}`]
    if (declared === 'not available, because') return suite === '–' ? [] : [`${type} has a suite`]
    if (!existsSync(join(ROOT, suite))) return [`${suite} does not exist`]
    const isNamed = declared !== 'works (contract suite)' || readFileSync(join(ROOT, suite), 'utf8').includes(type)
    return isNamed ? [] : [`${suite} does not name ${type}`]
  }),
]

test('docs/channels.md has each type of channel in the state of its declaration [P-2714]', () => {
  const stateOf = (name: string): State => {
    const type = channelType(name)
    if (type?.carrier === 'none') return 'not available, because'
    return type?.mapping === undefined ? 'works (contract suite)' : 'works by declared profile'
  }
  const rows = tableOf('channels.md', 'type', 'state', 'suite').map(([type, state = '', suite]) => ({
    ...{ type: plainOf(type), state, suite: plainOf(suite) },
  }))
  const states = Object.fromEntries(CHANNEL_TYPE_NAMES.map(name => [name, stateOf(name)]))
  expect(faultsOf(rows, states)).toEqual([])
})

test('docs/agents.md has each agent system in the state of its declaration [P-2714]', () => {
  const rows = tableOf('agents.md', 'type', 'system', 'state', 'built from', 'suite').map(
    ([type, , state = '', , suite]) => ({ type: plainOf(type), state, suite: plainOf(suite) }),
  )
  const stateOf = (name: string): State =>
    agentSystem(name)?.adapter === 'profile' ? 'works by declared profile' : 'works (contract suite)'
  const states = Object.fromEntries(AGENT_SYSTEM_NAMES.map(name => [name, stateOf(name)]))
  expect(faultsOf(rows, states)).toEqual([])
})
