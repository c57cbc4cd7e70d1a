import { expect, test, vi } from 'vitest'
import type { EventRoute, InboxFollower, PersonEvent } from '../../channel/exchange/inbox.ts'
import type { ProviderChannel } from '../../channel/open-channels.ts'
import { optOutFollower } from './opt-outs.ts'

const channelOf = (type: string) => ({ id: 'c', bot: 'b', type, isEnabled: true }) as ProviderChannel

const follow = (isHeardByBot = false) => {
  const answer = vi.fn()
  const [hear, prefer] = [vi.fn(async () => ({ kind: 'stop', toBot: false, reply: () => 'Pronto.' })), vi.fn()]
  const follower: InboxFollower = optOutFollower({
    optOuts: { hear, prefer } as never,
    levelOf: async ({ level, account }) => level ?? (account === undefined ? null : `level of ${account}`),
    isHeardByBot: async () => isHeardByBot,
    answer,
    now: () => 7,
  })
  return { follower, hear, prefer, answer }
}
const said = (id: string, more: Partial<PersonEvent> = {}): PersonEvent => ({
  ...{ kind: 'message', id: 'm', from: { id }, to: '104', time: 0, content: { kind: 'text', text: 'SAIR' } },
  ...more,
})

test('distinguishes opt-out codes of the provider from those of other providers [P-1881]', async () => {
  const isOptOutCode = async (type: string, code: string) => {
    const { follower, prefer } = follow()
    await follower.refused?.({ channel: channelOf(type), user: { id: '5511987650001' }, code })
    return prefer.mock.calls.length === 1
  }
  const codes = [
    ['whatsapp_twilio', '21610'],
    ['whatsapp_gupshup', '1012'],
    ['whatsapp_meta', '131050'],
    ['whatsapp_360dialog', '131050'],
    ['whatsapp_gupshup', '131050'],
  ]
  for (const [type = '', code = ''] of codes) expect(await isOptOutCode(type, code), `${type} ${code}`).toBe(true)
  const others = [
    ['whatsapp_zenvia', '1012'],
    ['whatsapp_meta', '21610'],
    ['whatsapp_twilio', '63016'],
    ['facebook', '131050'],
  ]
  for (const [type = '', code = ''] of others) expect(await isOptOutCode(type, code), `${type} ${code}`).toBe(false)
})

test('suppresses people that the provider refuses or reports as opted out, at the level of the bot [P-1881]', async () => {
  const { follower, prefer } = follow()
  const user = { id: '5511987650001' }
  await follower.refused?.({
    channel: channelOf('whatsapp_twilio'),
    user: { id: 'whatsapp:+5511987650001' },
    code: '21610',
  })
  await follower.refused?.({ channel: channelOf('whatsapp_gupshup'), user, code: '1012' })
  await follower.refused?.({ channel: channelOf('whatsapp_gupshup'), user, code: '1002' })
  const route = { family: 'whatsapp_gupshup', to: 'app', channel: channelOf('whatsapp_gupshup'), level: 'l' }
  const event = {
    kind: 'account',
    name: 'user-event.opted-out',
    data: { phone: user.id, type: 'opted-out' },
    to: 'app',
  } as const
  await follower.news?.({ route, event })
  await follower.news?.({ route, event: { ...event, name: 'user-event.opted-in' } })
  const on = (id: string) => ({ on: { channel: 'c', user: id }, phone: user.id })
  expect(prefer.mock.calls).toEqual([
    [null, on('whatsapp:+5511987650001'), 'stop', 'provider', '21610'],
    [null, on(user.id), 'stop', 'provider', '1012'],
    ['l', on(user.id), 'stop', 'provider', 'opted-out'],
  ])
})

test('hears a message that no bot takes, and leaves one to the turn that takes it [P-1880]', async () => {
  const route: EventRoute = { family: 'whatsapp_meta', to: '104', channel: channelOf('whatsapp_meta'), level: 'l' }
  const running = follow(true)
  const event = said('5511987650001', { payload: 'optout:7', replyTo: 'wamid.A' })
  await running.follower.message?.({ route, event })
  await running.follower.message?.({ route, event, outcome: 'stored' })
  expect(running.hear).not.toHaveBeenCalled()
  for (const outcome of ['bot.stopped', 'disabled', 'chat.disabled', 'chat.ended', 'account'])
    await running.follower.message?.({ route, event, outcome })
  expect(running.hear).toHaveBeenCalledTimes(5)
  expect(running.hear).toHaveBeenCalledWith({
    ...{ level: 'l', said: ['SAIR', 'optout:7'], context: 'wamid.A', time: 7, bot: undefined },
    person: { on: { channel: 'c', user: '5511987650001' }, phone: '5511987650001' },
    via: { channel: 'c', bot: 'b' },
  })
  expect(running.answer).not.toHaveBeenCalled()
  const stopped = follow(false)
  await stopped.follower.message?.({ route: { family: 'whatsapp_meta', to: '104', account: 'a' }, event })
  expect(stopped.hear).toHaveBeenCalledWith(expect.objectContaining({ level: 'level of a' }))
  expect(stopped.answer).toHaveBeenCalledWith('a', '5511987650001', 'Pronto.')
  await stopped.follower.message?.({
    route: { ...route, family: 'facebook', channel: channelOf('facebook') },
    event: said('1234567890123'),
  })
  expect(stopped.hear).toHaveBeenLastCalledWith(
    expect.objectContaining({ person: { on: { channel: 'c', user: '1234567890123' } } }),
  )
})
