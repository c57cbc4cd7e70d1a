import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAgentProfile } from '#domain/agent-profile.ts'
import { agentProfileExample } from '#domain/agent-profile-example.ts'
import { AGENT_SYSTEM_NAMES, agentSystem } from '#schemas/agent-system.ts'
import { agentchannel } from '#schemas/entities/agentchannel.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (...patterns: readonly string[]): string =>
  patterns
    .flatMap(pattern => globSync(pattern, { cwd: root }))
    .map(path => readFileSync(join(root, path), 'utf8'))
    .join('\n')

/** Read for every system: the session, the webhook and the queue. */
const SHARED = textOf(
  'runtime/agent/session/*.ts',
  'runtime/agent/open-agents.ts',
  'gateway/agent/webhook.ts',
  'gateway/routes/external-system.ts',
)
const names = (text: string, field: string): boolean => new RegExp(`(?<![\\w])${field}(?![\\w])`, 'u').test(text)

test.each(AGENT_SYSTEM_NAMES)('the code of %s reads each field that its form shows [P-2415]', type => {
  const system = agentSystem(type)
  const own = textOf(
    ...(system?.adapter === 'profile'
      ? ['runtime/agent/profile/*.ts', 'domain/agent-profile.ts']
      : [`runtime/agent/${type}/*.ts`]),
  )
  // The rules and paths of a profile read its fields: its example says for what.
  const declared = system?.adapter === 'profile' ? JSON.stringify(agentProfileExample(type)) : ''
  const needed = ['url', 'defaultqueue'].filter(name => type !== 'parley' && names(own + SHARED, name) === false)
  const unread = (system?.fields ?? []).filter(name => ![own, SHARED, declared].some(text => names(text, name)))
  expect([...unread, ...needed]).toEqual([])
})

test('some code reads each field that all systems share [P-2415]', () => {
  const shared = Object.entries(agentchannel.fields).flatMap(([name, { when }]) =>
    when?.type === undefined ? [name] : [],
  )
  const code = SHARED + textOf('runtime/agent/*/*.ts', 'domain/channel.ts', 'web/features/agentchannel/*')
  expect(shared.filter(name => !names(code, name))).toEqual([])
})

test('the example of each declared system is a profile that can be used [P-2415]', () => {
  for (const type of AGENT_SYSTEM_NAMES) {
    if (agentSystem(type)?.adapter !== 'profile') continue
    const { faults } = readAgentProfile(agentProfileExample(type))
    expect(faults, type).toEqual(type === 'avayaccaas' ? [{ path: 'close', fault: 'missing' }] : [])
  }
})
