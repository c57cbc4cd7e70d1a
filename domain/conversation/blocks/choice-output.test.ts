import { describe, expect, it, test } from 'vitest'
import { type DialogSketch, open, releaseOf, say, start, talk } from '../fixture/talk.ts'

/** A block at the beginning, and a text at the end of each of its ways that says which one it is. */
const ask = (type: string, properties: object, to: Readonly<Record<string, string>>, rest: DialogSketch = {}) =>
  talk(
    releaseOf({
      main: {
        start: { ...start, to: 'a' },
        a: { type, properties: properties as never, to },
        ...Object.fromEntries(Object.values(to).map(name => [name, say(name)])),
        ...rest,
      },
    }),
  )

const question = (data: object, more: object = {}) => ({ data: { text: 'Qual?', ...data }, varname: 'r', ...more })
const OPTIONS = [
  { id: 'p', label: 'Pix', value: 'pix' },
  { id: 'b', label: 'Boleto', value: '' },
  { id: 'c', label: 'Cartão', value: 'card' },
]
const choice = question({ type: 'choice', options: OPTIONS })

describe('a choice', () => {
  test.each([
    ['its title, typed', 'pix', 'byPix'],
    ['its number', '2', 'byBoleto'],
    ['the title of one without a link', 'Cartão', 'byOthers'],
  ])('leaves by the output of the option that is meant: %s [P-2829]', async (_, said, expected) => {
    const chat = ask('prompt', choice, { p: 'byPix', b: 'byBoleto', output_1: 'byOthers' })
    await chat.say(open)
    expect(await chat.say(said)).toEqual([expected])
  })

  it('leaves by the output of the pressed option, also where two have one value [P-2829]', async () => {
    const options = [
      { id: 'x', label: 'Hoje', value: 'sim' },
      { id: 'y', label: 'Amanhã', value: 'sim' },
    ]
    const chat = ask('prompt', question({ type: 'choice', options }), { x: 'byToday', y: 'byTomorrow' })
    await chat.say(open)
    expect(await chat.press('Amanhã')).toEqual(['byTomorrow'])
    expect(chat.state.variables.r).toBe('sim')
  })

  it('keeps options of a file that have no id apart by their places [P-2829]', async () => {
    const chat = ask('prompt', question({ type: 'choice', options: ['Pix', 'Boleto'] }), { item_2: 'second' })
    await chat.say(open)
    expect(await chat.press('Boleto')).toEqual(['second'])
  })

  it('ends its dialog where neither the option nor the first output is linked [P-2829]', async () => {
    const chat = ask('prompt', choice, { p: 'byPix' })
    await chat.say(open)
    expect(await chat.press('Boleto')).toEqual([])
    expect(chat.state.status).toBe('idle')
  })

  it('leaves by the output of a value that was kept before and is confirmed [P-2829]', async () => {
    const chat = ask(
      'prompt',
      { ...choice, suggestionWhenDataAlreadyAvailable: 'Ainda {{r}}?' },
      { p: 'byPix', output_1: 'byOthers' },
      {
        start: { ...start, to: 'before' },
        before: { type: 'assignvariables', properties: { variables: [{ name: 'r', value: 'pix' }] }, to: 'a' },
      },
    )
    expect(await chat.say(open)).toEqual(['Ainda pix?'])
    expect(await chat.say('sim')).toEqual(['byPix'])
  })
})

test.each([
  ['Sim', 'accepted'],
  ['não', 'refused'],
])('a question for yes or no leaves by the output of the answer: %s [P-2829]', async (said, expected) => {
  const chat = ask('prompt', question({ type: 'confirm' }), { output_yes: 'accepted', output_no: 'refused' })
  await chat.say(open)
  expect(await chat.say(said)).toEqual([expected])
})

const BUTTONS = [
  { id: 'buy', type: 'imBack', title: 'Comprar', value: 'compra' },
  { id: 'ask', type: 'postBack', title: 'Perguntar', value: 'duvida' },
  { id: 'see', type: 'openUrl', title: 'Ver', value: 'https://x.example/' },
]
const CARDS: readonly (readonly [string, object])[] = [
  ['herocard', { title: 'Luz', buttons: BUTTONS }],
  ['variablecard', { title: 'Luz', buttons: BUTTONS }],
  ['mediacard', { mediaCardType: 'Video', media: { uri: 'https://x.example/1.mp4' }, buttons: BUTTONS }],
]

describe.each(CARDS)('the buttons of a %s', (type, properties) => {
  it('have their own ways, and the card waits for them without a variable [P-2829]', async () => {
    const pressed = ask(type, properties, { buy: 'bought', ask: 'asked' })
    await pressed.say(open)
    expect(pressed.state.status).toBe('waiting')
    expect(await pressed.press('Perguntar')).toEqual(['asked'])
    const typed = ask(type, properties, { buy: 'bought', ask: 'asked' })
    await typed.say(open)
    expect(await typed.say('comprar')).toEqual(['bought'])
  })

  it('are offered again where other words have no way [P-2829]', async () => {
    const chat = ask(type, properties, { buy: 'bought' })
    await chat.say(open)
    expect((await chat.say('outra coisa'))[0]).toBe('prompt.invalid.choice')
    expect(await chat.say('Comprar')).toEqual(['bought'])
  })

  it('leave other words to the first output where it is linked [P-2829]', async () => {
    const chat = ask(type, properties, { buy: 'bought', output_1: 'others' })
    await chat.say(open)
    expect(await chat.say('outra coisa')).toEqual(['others'])
  })

  it('let the card continue at once where none has a way [P-2829]', async () => {
    const chat = ask(type, properties, { output_1: 'next' })
    expect((await chat.say(open)).at(-1)).toBe('next')
  })
})

it('tells buttons of one id in two cards of a carousel apart [P-2829]', async () => {
  const items = ['k1', 'k2'].map(id => ({
    id,
    header: { type: 'image/png', value: { title: id, text: 'x', uri: `https://x.example/${id}.png` } },
    options: [{ id: 'take', type: 'imBack', title: 'Levar', value: 'levar' }],
  }))
  const chat = ask('carousel', { cards: { itemType: 'herocard', items } }, { 'k1.take': 'first', 'k2.take': 'second' })
  await chat.say(open)
  const [message] = chat.last.said
  const action = message?.content.type === 'carousel' ? message.content.cards[1]?.actions[0] : undefined
  if (message === undefined || action === undefined) throw new Error('The carousel has no second button.')
  const { id, question: asked } = message
  const press = { kind: 'choice', message: id, action, ...(asked === undefined ? {} : { question: asked }) } as const
  expect(await chat.say(press)).toEqual(['second'])
})

test.each([
  ['the title of its action', { title: 'Recusar', data: {} }, 'refused'],
  ['the data of its action', { data: { ok: true, name: 'Ana' } }, 'accepted'],
])('an adaptive card leaves by the action that sent it: %s [P-2829]', async (_, sent, expected) => {
  const actions = [
    { type: 'Action.Submit', id: 'yes', title: 'Aceitar', data: { ok: true } },
    { type: 'Action.Submit', id: 'no', title: 'Recusar', data: { ok: false } },
  ]
  const chat = ask(
    'adaptivecard',
    { body: [{ type: 'Input.Text', id: 'name' }], actions },
    { yes: 'accepted', no: 'refused' },
  )
  await chat.say(open)
  expect(chat.state.status).toBe('waiting')
  expect(await chat.say({ kind: 'submit', ...sent })).toEqual([expected])
})
