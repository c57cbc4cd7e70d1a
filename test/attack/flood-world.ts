import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { openParley } from '#test/api/open-parley.ts'
import { level } from '#test/api/people.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { isFull } from '#test/fixture/full.ts'

/** Visitors and their messages beside a flood. */
const [VISITORS, MESSAGES] = isFull ? [4, 5] : [2, 4]

export const script = (js: string) => ({
  block: plainBlock('handler', 180, { quickscript: true, js, resultVariable: 'r' }),
  end: 'pronto {{r}}',
})
export const text = (words: string) => ({ block: plainBlock('text', 180, { text: words }), end: 'pronto {{1 + 1}}' })

interface Chat {
  readonly conversation: string
  readonly token: string
}

export const p95 = (times: readonly number[]): number => times[Math.ceil(times.length * 0.95) - 1] ?? 0

/** A gateway with two levels, and visitors of bots in them. */
export const openFloodWorld = async () => {
  const parley = await openParley()
  const admin = await parley.signIn()
  const levels = { a: await level(admin, 'Cliente A'), b: await level(admin, 'Cliente B') }

  const made = (entity: string, fields: object) => admin.create(entity, fields)

  /** A started bot that asks, runs the block and answers "pronto 2" when that worked. Answers its id and its web chat. */
  const botWith = async (
    hierarchylevel: string,
    { block, end }: { readonly block: ReturnType<typeof plainBlock>; readonly end: string },
    fields: object = {},
  ) => {
    const { bot, task, dialog } = await admin.createDialog(
      { name: `Bot ${crypto.randomUUID().slice(0, 8)}`, hierarchylevel, ...fields },
      'Tudo',
      'Tudo',
    )
    const flow = {
      operators: {
        start: plainBlock('start', 0),
        ask: plainBlock('prompt', 90, { varname: 'x', data: { type: 'text', text: 'O quê?' } }),
        work: block,
        done: plainBlock('text', 270, { text: end }),
      },
      links: { a: link('start', 'ask'), b: link('ask', 'work'), c: link('work', 'done'), d: link('done', 'ask') },
    }
    const drawn = await admin.put(`/dialog/${dialog}/flow`, flow)
    expect(drawn.status, drawn.text).toBe(200)
    expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
    await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
    const channel = await made('channel', { bot, type: 'webchat' })
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    return { bot, channel }
  }
  const send = async (path: string, token: string, body?: object) => {
    const answer = await fetch(parley.origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    return (await answer.json()) as Chat & { readonly state: string; readonly messages: readonly { text: string }[] }
  }
  const opened = (channel: string): Promise<Chat> =>
    send(`/chat/${channel}/conversations`, '', { user: { name: 'Ana' } })
  const say = ({ conversation, token }: Chat) =>
    send(`/chat/conversations/${conversation}/messages`, token, { id: crypto.randomUUID(), type: 'text', text: 'oi' })
  /** The bot's texts after its turn. */
  const textsOf = async ({ conversation, token }: Chat): Promise<readonly string[]> => {
    for (;;) {
      const { state, messages } = await send(`/chat/conversations/${conversation}/messages?after=`, token)
      if (state !== 'active') return messages.map(message => message.text)
      await pause(20)
    }
  }

  /** ms of the answers to some visitors, one after the other, in ascending order. */
  const answerTimes = async (channel: string): Promise<readonly number[]> => {
    const times: number[] = []
    for (let visitor = 0; visitor < VISITORS; visitor += 1) {
      const chat = await opened(channel)
      await textsOf(chat)
      for (let count = 1; count <= MESSAGES; count += 1) {
        const began = performance.now()
        await say(chat)
        expect((await textsOf(chat)).filter(words => words === 'pronto 2')).toHaveLength(count)
        times.push(performance.now() - began)
        await pause(100)
      }
    }
    return times.toSorted((one, other) => one - other)
  }
  /** Visitors of a bot that say one thing and wait for their answer. */
  const flood = async (channel: string, visitors: number) => {
    const chats = await Promise.all(Array.from({ length: visitors }, () => opened(channel)))
    await Promise.all(chats.map(textsOf))
    await Promise.all(chats.map(say))
    return chats
  }

  return { parley, admin, levels, made, botWith, opened, say, textsOf, answerTimes, flood }
}
