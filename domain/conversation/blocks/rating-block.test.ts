import { describe, expect, it } from 'vitest'
import { ask, type DialogSketch, NOW, open, releaseOf, say, settingsWith, start, talk } from '../fixture/talk.ts'
import type { TurnInput } from '../message.ts'

const BOT = { text: 'Gostou?', about: 'bot', scale: '5', varname: 'nota' }
const rating = (
  properties: object = {},
  to: DialogSketch[string]['to'] = { output_1: 'yes', output_giveup: 'no' },
) => ({
  type: 'rating',
  properties: { ...BOT, ...properties },
  to,
})
const dialog = (properties: object = {}): DialogSketch => ({
  start,
  a: rating(properties),
  yes: say('nota {{nota}}'),
  no: say('sem nota'),
})
const help = { id: 'help', name: 'Help', principal: 'help', utterances: ['ajuda'] }
const settings = () =>
  settingsWith({
    tasks: new Map([...settingsWith().tasks, ['help', help]]),
    messages: new Map([
      ['conversation.notunderstood', 'Não entendi'],
      ['rating.5.1', 'Muito ruim'],
      ['rating.5.4', 'Bom'],
      ['rating.ask.bot', 'Como eu me saí?'],
    ]),
  })
const begin = async (properties: object = {}, more: Readonly<Record<string, DialogSketch>> = {}) => {
  const chat = talk(
    releaseOf({ main: dialog(properties), help: { start, a: say('Posso ajudar') }, ...more }),
    settings(),
  )
  await chat.say(open)
  return chat
}

describe('the rating block', () => {
  it('offers the scores of its scale as buttons, and stores the pressed one [P-2450]', async () => {
    const chat = await begin()
    const [question] = chat.last.said
    expect(question?.actions.map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5'])
    expect(question?.asks).toMatchObject({ kind: 'rating', list: 'button', mask: false })
    expect(await chat.press('Bom')).toEqual(['nota 4'])
    expect(chat.state.variables).toEqual({ nota: 4 })
    expect(chat.last.ratings).toEqual([{ kind: 'rated', rating: 1, about: 'bot', scale: '5', score: 4 }])
  })

  it.each([
    ['5', '4', 4],
    ['5', '4/5', 4],
    ['5', 'nota 2', 2],
    ['5', '⭐⭐⭐', 3],
    ['5', 'muito ruim', 1],
    ['3', '3', 3],
    ['nps', '10', 10],
    ['nps', '0', 0],
    ['nps', '7/10', 7],
    ['thumbs', '👍🏽', 1],
    ['thumbs', '2', 0],
    ['thumbs', '👎', 0],
  ])('reads on scale %s the typed answer %s as %i [P-2451]', async (scale, said, score) => {
    const chat = await begin({ scale })
    await chat.say(said)
    expect(chat.last.ratings).toMatchObject([{ kind: 'rated', scale, score }])
  })

  it.each([
    ['5', '0'],
    ['5', '6'],
    ['5', '4/10'],
    ['5', 'quero 4 pizzas'],
    ['3', '⭐⭐⭐⭐'],
    ['nps', '11'],
    ['thumbs', '3'],
  ])('reads on scale %s no score in %s [P-2451]', async (scale, said) => {
    const chat = await begin({ scale })
    await chat.say(said)
    expect(chat.last.ratings).toBeUndefined()
  })

  it('ends with the first message that is no score, which is an ordinary input [P-2452]', async () => {
    const chat = await begin()
    expect(await chat.say('ajuda')).toEqual(['sem nota', 'Posso ajudar'])
    expect(chat.last.steps[0]).toMatchObject({ type: 'rating', out: 'output_giveup', unanswered: 'skipped' })
    expect(await chat.say('5')).toEqual(['Não entendi'])
    expect(chat.last.ratings).toBeUndefined()
  })

  it('does not take the message that ended it as the answer of the next question [P-2452]', async () => {
    const chat = talk(
      releaseOf({
        main: { start, a: rating({}, { output_giveup: 'next' }), next: ask('text', 'pedido', 'end'), end: say('fim') },
      }),
      settings(),
    )
    await chat.say(open)
    expect(await chat.say('e agora?')).toEqual(['pedido?'])
    expect(await chat.say('um bolo')).toEqual(['fim'])
    expect(chat.state.variables).toEqual({ pedido: 'um bolo' })
  })

  it('keeps the conversation open for the message that ended it [P-2452]', async () => {
    const chat = talk(
      releaseOf({
        main: { start, a: rating({}, { output_giveup: 'bye' }), bye: { type: 'endconversation' } },
        help: { start, a: say('Posso ajudar') },
      }),
      settings(),
    )
    await chat.say(open)
    expect(await chat.say('ajuda')).toEqual(['Posso ajudar'])
    expect(chat.state.status).toBe('idle')
  })

  it('takes a score for 24 hours [P-2453]', async () => {
    const day = 24 * 3_600_000
    const [early, late] = [await begin(), await begin()]
    await early.say('5', NOW + day)
    expect(early.last.ratings).toMatchObject([{ score: 5 }])
    await late.say('5', NOW + day + 1)
    expect(late.last.ratings).toBeUndefined()
    const silent = await begin()
    expect(silent.state.frames[0]?.wait?.endAt).toBe(NOW + day)
    expect(await silent.say({ kind: 'timeout' }, NOW + day)).toEqual([])
    expect(silent.state.status).toBe('ended')
  })

  it('asks why after the score, and adds the comment to it [P-2454]', async () => {
    const chat = await begin({ comment: 'Por quê?' })
    expect(await chat.say('2')).toEqual(['Por quê?'])
    expect(chat.last.said[0]?.actions.map(({ type }) => type)).toEqual(['skip'])
    expect(await chat.say('demorou')).toEqual(['nota 2'])
    expect(chat.last.ratings).toEqual([
      { kind: 'rated', rating: 1, about: 'bot', scale: '5', score: 2, comment: 'demorou' },
    ])
  })

  it('keeps 2,000 characters of a comment, without the spaces around it [P-2454]', async () => {
    const chat = await begin({ comment: 'Por quê?' })
    await chat.say('2')
    await chat.say(`  ${'x'.repeat(2_001)} `)
    expect(chat.last.ratings).toMatchObject([{ score: 2, comment: 'x'.repeat(2_000) }])
  })

  it('continues without a comment that the person leaves out [P-2454]', async () => {
    const chat = await begin({ comment: 'Por quê?' })
    await chat.say('2')
    expect(await chat.press('prompt.skip')).toEqual(['nota 2'])
    expect(chat.last.ratings).toBeUndefined()
  })

  it('ignores a second press on its buttons [P-2454]', async () => {
    const chat = await begin({ comment: 'Por quê?' })
    const [question] = chat.last.said
    const action = question?.actions[0]
    if (question === undefined || action === undefined) throw new Error('no question')
    const press: TurnInput = { kind: 'choice', message: question.id, action, question: question.question ?? 0 }
    await chat.say(press)
    await chat.say(press)
    expect(chat.last.problems).toEqual([{ code: 'press.stale' }])
    expect(chat.last.ratings).toBeUndefined()
  })

  it('asks the usual question without a text, and reminds nobody [P-2450]', async () => {
    const chat = await begin({ text: '' })
    expect(chat.last.said.map(({ content }) => content)).toEqual([{ type: 'text', text: 'Como eu me saí?' }])
    expect(chat.state.frames[0]?.wait?.remindAt).toBeUndefined()
  })

  it('rates no agent where none came [P-2455]', async () => {
    const chat = await begin({ about: 'agent' })
    expect(chat.last.ratings).toEqual([{ kind: 'skipped', about: 'agent', why: 'silent' }])
    expect(chat.last.steps.find(({ type }) => type === 'rating')?.out).toBe('output_giveup')
  })
})

const handed = (more: object = {}) => {
  const hand = { type: 'connecttoagent', to: 'a' }
  const chat = talk(
    releaseOf({
      main: {
        start: { type: 'start', to: 'hand' },
        hand,
        ...Object.fromEntries(Object.entries(dialog({ about: 'agent' })).slice(1)),
      },
    }),
    settingsWith({ agentEnabled: true, ...more }),
    { agent: () => ({ ok: true, channel: 'desk' }) },
  )
  return chat
}
const CHAT = { n: 1, reason: 'solved', name: 'Camila', wait: 12, score: null } as const
const left = (more: object = {}): TurnInput => ({ kind: 'agentleft', reason: 'closed', text: '', chat: CHAT, ...more })

describe('the rating of a chat with an agent', () => {
  it('asks for it before the flow continues, which reads the score [P-2456]', async () => {
    const hand = { type: 'connecttoagent', to: 'b' }
    const back = say('{{agent.status}} {{agent.reason}} {{agent.name}} {{agent.wait}} {{agent.score}}')
    const chat = talk(
      releaseOf({ main: { start: { type: 'start', to: 'hand' }, hand, b: back } }),
      settingsWith({ agentEnabled: true, messages: new Map([['rating.thanks', 'Obrigado']]) }),
      { agent: () => ({ ok: true, channel: 'desk' }) },
    )
    await chat.say(open)
    const asked = { scale: '5', text: 'Como foi com {agent}?', comment: '' } as const
    expect(await chat.say(left({ rating: asked }))).toEqual(['Como foi com Camila?'])
    expect(chat.last.ratings).toEqual([{ kind: 'asked', rating: 1, about: 'agent', scale: '5', n: 1 }])
    expect(await chat.say('4')).toEqual(['Obrigado', 'closed solved Camila 12 4'])
    expect(chat.last.ratings).toEqual([{ kind: 'rated', rating: 1, about: 'agent', scale: '5', n: 1, score: 4 }])
    expect(chat.state.rating).toBeNull()
  })

  it('continues the flow with a message that is no score, and then follows the message [P-2456]', async () => {
    const chat = handed({ tasks: settings().tasks, messages: new Map([['conversation.notunderstood', 'Não entendi']]) })
    await chat.say(open)
    await chat.say(left({ rating: { scale: 'nps', text: '', comment: '' } }))
    // The block that rates the same chat does not ask again.
    expect(await chat.say('obrigada, até mais')).toEqual(['sem nota', 'Não entendi'])
    expect(chat.last.ratings).toEqual([{ kind: 'skipped', about: 'agent', n: 1, why: 'rated' }])
  })

  it('is requested by a block if the desk did not, once for each chat [P-2455]', async () => {
    const chat = handed()
    await chat.say(open)
    expect(await chat.say(left())).toEqual(['Gostou?'])
    await chat.say('5')
    expect(chat.last.ratings).toEqual([{ kind: 'rated', rating: 1, about: 'agent', scale: '5', n: 1, score: 5 }])
    expect(chat.state.agent).toMatchObject({ score: 5, name: 'Camila' })
  })

  it.each(['timeout', 'user', 'cleared', 'error', 'unavailable'])(
    'is not asked for after %s [P-2455]',
    async reason => {
      const chat = handed()
      await chat.say(open)
      await chat.say(left({ reason }))
      expect(chat.last.ratings).toMatchObject([{ kind: 'skipped', why: reason === 'user' ? 'user' : 'silent' }])
    },
  )

  it('keeps the score of the desk in the variable of a block that comes later [P-2455]', async () => {
    const chat = handed({ messages: new Map([['rating.thanks', 'Obrigado']]) })
    await chat.say(open)
    await chat.say(left({ rating: { scale: '5', text: '', comment: '' } }))
    expect(await chat.say('3')).toEqual(['Obrigado', 'nota 3'])
    expect(chat.state.variables).toEqual({ nota: 3 })
  })

  it('asks for a comment, and ends with an input that is none [P-2456]', async () => {
    const chat = handed()
    await chat.say(open)
    await chat.say(left({ rating: { scale: '5', text: '', comment: 'Por quê?' } }))
    expect(await chat.say('1')).toEqual(['Por quê?'])
    expect(await chat.say('não resolveu')).toEqual(['rating.thanks', 'nota 1'])
    expect(chat.last.ratings?.[0]).toMatchObject({ kind: 'rated', score: 1, comment: 'não resolveu' })
  })

  it('ends when a task is chosen in the menu [P-2457]', async () => {
    const chat = handed()
    await chat.say(open)
    await chat.say(left({ rating: { scale: '5', text: '', comment: '' } }))
    await chat.say({ kind: 'menu', command: 'restart' })
    expect(chat.state.rating).toBeNull()
  })

  it('is not taken after its buttons were overtaken [P-2457]', async () => {
    const chat = handed()
    await chat.say(open)
    await chat.say(left({ rating: { scale: '5', text: '', comment: '' } }))
    const [question] = chat.last.said
    const action = question?.actions[4]
    if (question === undefined || action === undefined) throw new Error('no question')
    await chat.say('outra coisa')
    await chat.say({ kind: 'choice', message: question.id, action, question: question.question ?? 0 })
    expect(chat.last.problems).toEqual([{ code: 'press.stale' }])
  })
})
