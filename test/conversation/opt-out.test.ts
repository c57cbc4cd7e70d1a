import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_OPT_OUT } from '#domain/campaign/opt-out.ts'
import { ask, type DialogSketch, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { Agents } from '#runtime/agent/open-agents.ts'
import { detectTurnOptOut, lateOptOut, OptOuts } from '#runtime/campaign/optout/opt-outs.ts'
import { MemoryAgents } from '#test/doubles/agent/memory-agents.ts'
import { openTestAudience, type TestAudience } from '../audience/open-test-audience.ts'
import { openWorld, say, talkOf, type World } from './world.ts'

const CHOOSING: DialogSketch = {
  start,
  a: ask('choice', 'rumo', 'b', { data: { options: [{ label: 'ficar' }, { label: 'sair' }], listStyle: 'button' } }),
  b: tell('Rumo: {{rumo}}', 'a'),
}
const QUIET = { userTimeout: 0, endTimeout: 0 }
const MARKETING = { lists: ['*'], category: 'marketing' }

let folder: string
let opened: TestAudience
let world: World
/** When a campaign wrote to the person last. */
let campaignAt: number | undefined
beforeEach(async () => {
  campaignAt = undefined
  folder = mkdtempSync(join(tmpdir(), 'parley-optout-'))
  opened = await openTestAudience(folder)
  world = await openWorld(CHOOSING, QUIET)
})
afterEach(async () => {
  await world.close()
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `hear`: called before each message is heard. */
const openNode = (hear: () => Promise<void> = async () => undefined, agents?: Agents) => {
  const setting = {
    ...DEFAULT_OPT_OUT,
    buttons: ['optout:7'],
    reply: [{ locale: 'pt', text: 'Pronto.' }],
    startReply: [{ locale: 'pt', text: 'De volta.' }],
  }
  const optOuts = new OptOuts({
    lists: { at: async () => ({ list: '*', setting }), over: async () => ['*'], ofCampaign: async () => ['*'] },
    audience: async () => opened.audience,
    runs: async () => ({
      lastSentTo: () => campaignAt,
      lastCampaignTo: () => (campaignAt === undefined ? undefined : 'k'),
      addresseeOf: id => (id === 'message wamid.C' ? { campaign: 'k', run: 'r', phone: 'none' } : undefined),
    }),
    hmac: text => text,
  })
  return world.node({
    ...(agents === undefined ? {} : { agents }),
    failed: () => undefined,
    async optOut(held, pending, level) {
      await hear()
      return detectTurnOptOut(optOuts, held, pending, level)
    },
    lateOptOut: (held, message, level) => lateOptOut(optOuts, held, message, level),
  })
}
const begin = async (node: Awaited<ReturnType<typeof openNode>>, data: Record<string, string>, id = 'ana') => {
  const begun = await node.open({ channel: 'web', user: { id, data }, begins: true })
  if (!begun.ok) return expect.fail(begun.refusal.code)
  await node.settled(begun.value.conversation, 10_000)
  return begun.value.conversation
}
const isStopped = (person: Parameters<TestAudience['audience']['digestsOf']>[0]) =>
  opened.audience.isSuppressed(MARKETING, opened.audience.digestsOf(person))

describe('an opt-out in a conversation with a bot', () => {
  test('stops campaigns to the number and the id of the person, is answered once and kept from the flow [P-1766]', async () => {
    const node = await openNode()
    const talk = await begin(node, { phone: '11 8765-0001' })
    await say(node, talk, 'STOP')
    expect(await talkOf(node, talk)).toEqual(['bot: rumo?', 'user: STOP', 'bot: Pronto.'])
    for (const phone of ['5511987650001', '551187650001']) expect(isStopped({ phone }), phone).toBe(true)
    expect(isStopped({ on: { channel: 'web', user: 'ana' } })).toBe(true)
    expect(isStopped({ phone: '5511987650002' })).toBe(false)
    await say(node, talk, 'Stop!')
    await say(node, talk, 'ficar')
    expect((await talkOf(node, talk)).slice(3)).toEqual([
      'user: Stop!',
      'user: ficar',
      'bot: Rumo: ficar',
      'bot: rumo?',
    ])
    await say(node, talk, 'voltar a receber')
    expect((await talkOf(node, talk)).slice(7)).toEqual(['user: voltar a receber', 'bot: De volta.'])
    expect(isStopped({ phone: '5511987650001' })).toBe(false)
    // It counts again, and is answered once a day.
    await say(node, talk, 'STOP')
    expect((await talkOf(node, talk)).slice(9)).toEqual(['user: STOP'])
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
  })

  test('leaves an unsure word to the question that offers it, until a campaign comes after the question [P-1766]', async () => {
    const node = await openNode()
    const talk = await begin(node, { phone: '+55 11 98765-0001' })
    await say(node, talk, 'sair')
    expect((await talkOf(node, talk)).slice(1, 3)).toEqual(['user: sair', 'bot: Rumo: sair'])
    expect(isStopped({ phone: '5511987650001' })).toBe(false)
    const person = opened.audience.digestsOf({ phone: '5511987650001' })
    expect(opened.audience.index.suppressions.historyOf(['*'], person)).toMatchObject([
      { kind: 'pass', rule: 'offered' },
    ])
    campaignAt = world.now + 1
    await say(node, talk, 'sair')
    expect((await talkOf(node, talk)).slice(4)).toEqual(['user: sair', 'bot: Pronto.'])
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
  })

  test('counts a button of an earlier question or of an ended conversation [P-1880]', async () => {
    const node = await openNode()
    const talk = await begin(node, { phone: '11 98765-0001' })
    const [asked] = (await node.newest(talk, 1))?.messages ?? []
    await say(node, talk, 'ficar')
    const press = async (of: string | undefined, value: string, more = {}) => {
      const taken = await node.accept(talk, {
        id: `press ${of} ${value}`,
        type: 'choice',
        of: of ?? '',
        value,
        ...more,
      })
      await node.settled(talk, 10_000)
      return taken.ok ? 'taken' : taken.refusal.code
    }
    const options = JSON.parse(JSON.stringify(asked?.actions ?? [])) as { id: string; title: string }[]
    const leave = options.find(({ title }) => title === 'sair')?.id ?? ''
    // Before any campaign the button answers the bot alone, and too late.
    expect(await press(asked?.id, leave)).toBe('chat.stale')
    expect(isStopped({ phone: '5511987650001' })).toBe(false)
    campaignAt = world.now + 1
    expect(await press(asked?.id, options.find(({ title }) => title === 'ficar')?.id ?? '')).toBe('chat.stale')
    // Option of the question that waits now: a campaign came after it.
    expect(await press(asked?.id, leave)).toBe('taken')
    expect((await talkOf(node, talk)).slice(4)).toEqual(['user: sair', 'bot: Pronto.'])
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
    const other = await begin(node, { phone: '11 98765-0002' }, 'bia')
    expect(await node.accept(other, { id: 'old', type: 'choice', of: '99', value: 'x', text: 'Sair' })).toMatchObject({
      ok: true,
    })
    await node.settled(other, 10_000)
    expect((await talkOf(node, other)).slice(1)).toEqual(['user: Sair', 'bot: Pronto.'])
    expect(isStopped({ phone: '5511987650002' })).toBe(true)
  })

  test('counts the payload of a button, and an answer by the id of a campaign message [P-1880] [P-1882]', async () => {
    const node = await openNode()
    const said = async (phone: string, more: { text: string; payload?: string; replyTo?: string }) => {
      const talk = await begin(node, { phone }, phone)
      await node.accept(talk, { id: `m ${phone}`, type: 'text', ...more })
      await node.settled(talk, 10_000)
      return (await talkOf(node, talk)).slice(1)
    }
    expect(await said('11 98765-0001', { text: 'Não, obrigado', payload: 'optout:7' })).toEqual([
      'user: Não, obrigado',
      'bot: Pronto.',
    ])
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
    await said('11 98765-0002', { text: 'Parar', replyTo: 'wamid.other' })
    expect(isStopped({ phone: '5511987650002' })).toBe(false)
    expect(await said('11 98765-0003', { text: 'Parar', replyTo: 'wamid.C' })).toEqual(['user: Parar', 'bot: Pronto.'])
    expect(isStopped({ phone: '5511987650003' })).toBe(true)
  })

  test('is heard in place of a masked answer, and again when hearing fails [P-1880]', async () => {
    await world.close()
    const data = { text: 'Senha?', textStyle: 'password' }
    world = await openWorld({ start, a: { ...ask('text', 'senha', 'b', { data }) }, b: tell('Entrou', 'a') }, QUIET)
    const hear = vi.fn<() => Promise<void>>(async () => undefined)
    const node = await openNode(hear)
    const talk = await begin(node, { phone: '11 98765-0001' })
    hear.mockClear().mockRejectedValueOnce(new Error('the index is away'))
    await node.accept(talk, { id: 'm', type: 'text', text: 'STOP' })
    await vi.waitFor(async () => expect((await talkOf(node, talk)).at(-1)).toBe('bot: Pronto.'), 10_000)
    expect(hear).toHaveBeenCalledTimes(2)
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
    expect((await talkOf(node, talk))[1]).toBe('user: ••••••')
    await say(node, talk, 'segredo')
    expect((await talkOf(node, talk)).slice(3)).toContain('bot: Entrou')
  })

  test('is heard in a chat with an agent, who reads it too [P-1880]', async () => {
    await world.close()
    const agents = new MemoryAgents({ polls: true })
    world = await openWorld(CHOOSING, { ...QUIET, agentEnabled: true })
    const node = await openNode(undefined, agents.node())
    const talk = await begin(node, { phone: '11 98765-0001' })
    await node.accept(talk, { id: 'ask', type: 'menu', value: 'agent' })
    await vi.waitFor(() => expect(agents.opened).toHaveLength(1), 8_000)
    await node.accept(talk, { id: 'm', type: 'text', text: 'STOP' })
    await vi.waitFor(() => expect(agents.said.map(({ text }) => text)).toEqual(['STOP']), 8_000)
    expect(isStopped({ phone: '5511987650001' })).toBe(true)
  })

  test('knows people of WhatsApp by their number or their id for one business [P-1766]', async () => {
    const of = async (channelType: string, id: string) => {
      let person: unknown
      const held = { channel: 'c', channelType, user: { id }, locale: 'pt', state: { userdata: {}, frames: [] } }
      const pending = {
        from: { kind: 'message', masked: false, sent: { id: 'm', type: 'text', text: 'STOP' } },
        time: 1,
      }
      const hear = async (heard: { readonly person: unknown }) => {
        person = heard.person
        return { kind: 'none' as const, toBot: true, reply: () => undefined }
      }
      await detectTurnOptOut({ hear }, held as never, pending as never, null)
      return person
    }
    const on = (user: string) => ({ channel: 'c', user })
    expect(await of('whatsapp_meta', '551187650001')).toEqual({ on: on('551187650001'), phone: '551187650001' })
    expect(await of('whatsapp_twilio', 'whatsapp:+5511987650001')).toMatchObject({ phone: '5511987650001' })
    expect(await of('blip', '551187650001@wa.gw.msging.net')).toMatchObject({ phone: '551187650001' })
    expect(await of('whatsapp_meta', 'BR.13491208655302741918')).toMatchObject({ scoped: 'BR.13491208655302741918' })
    expect(await of('facebook', '1234567890123')).toEqual({ on: on('1234567890123') })
  })
})
