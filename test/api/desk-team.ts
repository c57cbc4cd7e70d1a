import { expect, vi } from 'vitest'
import { done } from '#test/fixture/agent-bot.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import type { Client } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

export const AGENT = ['showdesk', 'answerconversation', 'takeoverconversation', 'readbot']

export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

/** A queue from which its members take chats themselves. */
export const makeQueue = (
  admin: Client,
  hierarchylevel: string,
  members: readonly { readonly id: string }[],
  fields: object,
): Promise<string> => {
  const users = members.map(({ id }) => ({ user: id }))
  return done(admin.post('/deskqueue', { hierarchylevel, mode: 'manual', members: users, ...fields }))
}

/** Two agents of a manual queue, and a bot that hands people to it. */
export const openDeskTeam = async () => {
  const parley = await openParley({ env: { PARLEY_SAMPLE: 'off' }, limits: { deskCountsMs: 1_000 } })
  const admin = await parley.signIn()
  const place = await level(admin, 'Loja')
  const bot = await makeDeskBot(admin, undefined, { hierarchylevel: place })
  const camila = await person(parley, admin, { username: 'camila', level: place, actions: AGENT })
  const diego = await person(parley, admin, { username: 'diego', level: place, actions: AGENT })
  const queue = await makeQueue(admin, place, [camila, diego], {
    name: 'Pedidos',
    close_reasons: [{ key: 'resolvido', name: 'Resolvido' }],
    reason_required: true,
  })
  /** A person who waits in the queue, and the address of the chat. */
  const waiting = async () => {
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toContain('bot: Qual é o pedido?'))
    await ana.say('123')
    const at = `/desk/chat/${ana.conversation}`
    await until(async () => expect((await admin.get(at)).body).toMatchObject({ status: 'waiting' }))
    return { ana, at }
  }
  return { parley, admin, place, bot, camila, diego, queue, waiting }
}

export type DeskTeam = Awaited<ReturnType<typeof openDeskTeam>>

export const message = (text: string, seen: string, id: string = crypto.randomUUID()) => ({ id, text, seen })
