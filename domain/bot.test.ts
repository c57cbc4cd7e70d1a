import { expect, test } from 'vitest'
import { botBehaviour } from './bot.ts'

const none = { needed: 0, up: 0 }
const context = { time: '2026-11-21T12:00:00.000Z', actor: 'ana', facts: {} }

/** The status after an action; undefined when it is refused. */
const nextStatus = (
  runningstatus: string,
  action: keyof typeof botBehaviour.commands,
  { needed, up }: { readonly needed: number; readonly up: number },
) => {
  const fields = { runningstatus, minservicesneeded: needed, servicesup: up }
  const bot = { status: 'live', id: 'b', revision: 1, level: 'root', fields } as const
  const decided = botBehaviour.commands[action].decide(bot, {}, context)
  return decided.ok ? decided.value[0]?.data.fields?.runningstatus : undefined
}

test('a bot starts at once, waits for the services it needs, or runs when they are up', () => {
  expect(nextStatus('stopped', 'start', none)).toBe('started')
  expect(nextStatus('stopped', 'start', { needed: 2, up: 1 })).toBe('pending')
  expect(nextStatus('stopped', 'start', { needed: 2, up: 2 })).toBe('running')
})

test('checks the services again on fix and restart', () => {
  expect(nextStatus('pending', 'fix', { needed: 1, up: 1 })).toBe('running')
  expect(nextStatus('running', 'restart', { needed: 1, up: 0 })).toBe('pending')
  expect(nextStatus('started', 'stop', none)).toBe('stopped')
})

test('allows only start when stopped', () => {
  expect(nextStatus('stopped', 'restart', none)).toBeUndefined()
  expect(nextStatus('stopped', 'fix', none)).toBeUndefined()
})
