import { afterEach, expect, test } from 'vitest'
import { releaseOf, say as sketched } from '#domain/conversation/fixture/talk.ts'
import { readParts } from '#runtime/conversation/store/conversation-records.ts'
import type { JsonObject } from '#schemas/event.ts'
import { until } from './handed.ts'
import { openWorld, say, talkOf, type World } from './world.ts'

const HOUR_MS = 3_600_000
const TEMPLATE = { template: 't1', templateValues: [{ variable: '1', value: '{{1 + 1}}' }] }

let world: World
afterEach(() => world.close())

/** A person of WhatsApp whose bot plans a reminder two days later. */
const reminded = async (reminder: JsonObject) => {
  const main = {
    start: { type: 'start', to: 'plan' },
    plan: {
      type: 'schedule',
      properties: { scheduleQuantity: 2, scheduleUnit: 'day', task: 'later', dontExecuteIfInConversation: false },
      to: 'said',
    },
    said: sketched('até logo'),
  } as const
  const later = {
    start: { type: 'start', to: 'remind' },
    remind: { type: 'sendmessage', properties: { text: 'Volte', ...reminder } },
  } as const
  const task = (id: string, principal: string) => [id, { id, name: id, principal, utterances: [] }] as const
  const tasks = new Map([task('task', 'main'), task('later', 'later')])
  world = await openWorld(main, { tasks }, releaseOf({ main, later }))
  world.channelType = 'whatsapp_meta'
  const on = await world.node()
  const opened = await on.open({ channel: 'web', user: { id: 'ana' }, begins: true })
  const chat = opened.ok ? opened.value.conversation : expect.fail('not opened')
  await on.settled(chat, 10_000)
  await say(on, chat, 'oi')
  world.now += 49 * HOUR_MS
  return { on, chat }
}

const factsOf = async (chat: string, wanted: readonly string[]) => {
  const found: { readonly type: string; readonly reason: unknown }[] = []
  for await (const { type, data } of readParts(world.store, chat))
    if (wanted.includes(type)) found.push({ type, reason: data.reason })
  return found
}
const SCHEDULES = ['ScheduleFired', 'ScheduleSkipped']

test('a schedule outside the window says the message of its block with the template [P-2514]', async () => {
  const { on, chat } = await reminded(TEMPLATE)
  await until(async () => expect((await talkOf(on, chat)).at(-1)).toBe('bot: Volte'))
  const page = await on.read(chat, '', 1000)
  expect(page?.messages.at(-1)?.template).toEqual({ id: 't1', values: { 1: '2' } })
  expect(await factsOf(chat, SCHEDULES)).toEqual([{ type: 'ScheduleFired', reason: undefined }])
})

test('a schedule without a template is skipped outside the window [P-2514]', async () => {
  const { on, chat } = await reminded({})
  await until(async () =>
    expect(await factsOf(chat, SCHEDULES)).toEqual([{ type: 'ScheduleSkipped', reason: 'window' }]),
  )
  expect((await talkOf(on, chat)).at(-1)).not.toBe('bot: Volte')
})
