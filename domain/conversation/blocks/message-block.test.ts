import { describe, expect, it, test } from 'vitest'
import { ask, type DialogSketch, open, releaseOf, say, settingsWith, start, talk, variable } from '../fixture/talk.ts'

const one = (type: string, properties: object, settings = settingsWith()) =>
  talk(
    releaseOf({
      main: { start, a: ask('text', 'x', 'b'), b: { type, properties: properties as never, to: 'c' }, c: say('fim') },
    }),
    settings,
  )
const said = async (chat: ReturnType<typeof talk>, word = 'Ana') => {
  await chat.say(open)
  await chat.say(word)
  return chat.last.said
}

describe('text', () => {
  it('sends its words with placeholders filled, and its attachments [D-3.12.08] [R-35]', async () => {
    const attachments = [
      { contentType: 'application/pdf', contentUrl: 'https://x.example/{{x}}.pdf', name: 'Guia' },
      { contentType: 'image/png', contentUrl: '', name: 'nothing' },
    ]
    const [message] = await said(one('text', { text: 'Oi, <b>{{x}}</b>', attachments }))
    expect(message?.content).toEqual({
      type: 'text',
      text: 'Oi, **Ana**',
      attachments: [{ contentType: 'application/pdf', contentUrl: 'https://x.example/Ana.pdf', name: 'Guia' }],
    })
  })

  it('does not interpret user input as markup [R-35]', async () => {
    const [message] = await said(one('text', { text: 'Oi, {{x}}' }), '<img src=x onerror=alert(1)>')
    expect(message?.content).toMatchObject({ text: 'Oi, <img src=x onerror=alert(1)>' })
  })

  it('sends nothing where it says nothing [R-35]', async () => {
    expect((await said(one('text', { text: ' ' }))).map(({ block }) => block)).toEqual(['c'])
  })
})

describe('sendmessage', () => {
  it('sends its message to this person and continues [D-3.12.49] [R-36]', async () => {
    const messages = await said(one('sendmessage', { text: 'Aviso a {{x}}' }))
    expect(messages.map(({ content, destination }) => [content, destination])).toEqual([
      [{ type: 'text', text: 'Aviso a Ana' }, undefined],
      [{ type: 'text', text: 'fim' }, undefined],
    ])
  })

  it.each([
    [
      [
        { variable: ' 1 ', value: 'Sra. {{x}}' },
        { variable: '', value: 'nada' },
      ],
    ],
    [{ 1: 'Sra. {{x}}' }],
  ])('names its template with values, for the time outside the window [P-2513]', async templateValues => {
    const [message] = await said(one('sendmessage', { text: 'Oi', template: 't1', templateValues }))
    expect(message).toMatchObject({ content: { text: 'Oi' }, template: { id: 't1', values: { 1: 'Sra. Ana' } } })
    const [plain] = await said(one('sendmessage', { text: 'Oi', template: '', templateValues }))
    expect(plain).not.toHaveProperty('template')
  })

  it('says it to another address, at most ten times a turn [D-3.12.49] [R-36]', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, at): [string, DialogSketch[string]] => [
        `m${at}`,
        { type: 'sendmessage', properties: { text: 'Oi', destination: 'sms:+55{{n}}' }, to: `m${at + 1}` },
      ]),
    )
    const first = { type: 'assignvariables', properties: { variables: [{ name: 'n', value: '11' }] }, to: 'm0' }
    const chat = talk(releaseOf({ main: { start, a: first, ...many } }))
    await chat.say(open)
    expect(chat.last.said.map(({ destination }) => destination)).toEqual(Array.from({ length: 10 }, () => 'sms:+5511'))
    expect(chat.last.problems).toEqual([{ code: 'message.toomany' }])
  })
})

describe('location', () => {
  it('sends a place, and keeps it with numbers for its coordinates [D-3.12.12] [R-37]', async () => {
    const chat = one('location', {
      address: 'Av. Paulista, {{1 + 1}}',
      latitude: '-23,5',
      longitude: '-46.6',
      varname: 'p',
    })
    const [message] = await said(chat)
    expect(message?.content).toEqual({
      type: 'location',
      address: 'Av. Paulista, 2',
      latitude: -23.5,
      longitude: -46.6,
    })
    expect(chat.state.variables.p).toEqual({
      type: 'Place',
      address: 'Av. Paulista, 2',
      geo: { latitude: -23.5, longitude: -46.6, type: 'GeoCoordinates' },
    })
  })

  it('asks for a place where it has none, and waits for one [D-3.12.12] [R-37]', async () => {
    const chat = one('location', { varname: 'p' })
    const [message] = await said(chat)
    expect(message?.asks?.kind).toBe('location')
    expect(chat.state.status).toBe('waiting')
    await chat.say({ kind: 'location', location: { geo: { latitude: -23.5, longitude: -46.6 } } })
    expect(chat.state.variables.p).toMatchObject({ geo: { latitude: -23.5, longitude: -46.6 } })
    expect(chat.state.status).toBe('idle')
  })

  it('without a place and a variable it says nothing [R-37]', async () => {
    expect((await said(one('location', {}))).map(({ block }) => block)).toEqual(['c'])
  })
})

describe('prompt', () => {
  const release = (more: object, rest: DialogSketch = {}) =>
    releaseOf({
      main: { start, a: ask('text', 'nome', 'b', more as never), b: say('{{nome}} {{input.text}}'), ...rest },
    })

  it('asks, waits and keeps the answer in its variable [D-3.12.10] [R-38]', async () => {
    const chat = talk(release({}))
    expect(await chat.say(open)).toEqual(['nome?'])
    expect(chat.state.status).toBe('waiting')
    expect(await chat.say('  Ana ')).toEqual(['Ana   Ana '])
    expect(chat.state.variables).toEqual({ nome: 'Ana' })
  })

  it('without words it waits all the same, and without a variable the answer is the input alone [D-3.12.10] [R-38]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: ask('text', '', 'b', { data: { text: '' } }), b: say('{{input.text}}') } }),
    )
    expect(await chat.say(open)).toEqual([])
    expect(await chat.say('algo')).toEqual(['algo'])
    expect(chat.state.variables).toEqual({})
  })

  it('without words and directly behind a choice it takes the answer to that, once, and waits everywhere else [P-1032]', async () => {
    const options = [
      { label: 'Sim', value: '' },
      { label: 'Não', value: '' },
    ]
    const silent = (to: string, more: object = {}) => ask('text', '', to, { data: { text: '', ...more } })
    const choice = ask('choice', '', 'b', { data: { options } })
    const chat = (blocks: DialogSketch) => talk(releaseOf({ main: { start, a: choice, ...blocks } }))

    const listening = chat({ b: silent('c'), c: say('{{input.text}}') })
    await listening.say(open)
    expect(await listening.press('Não')).toEqual(['Não'])
    expect(listening.last.steps.map(({ block, out }) => [block, out])).toContainEqual(['b', 'output_1'])

    for (const blocks of [
      { b: silent('c'), c: silent('d'), d: say('fim') },
      { b: say('Conte mais', 'c'), c: silent('d'), d: say('fim') },
      { b: ask('text', 'motivo', 'd', { data: { text: '' } }), d: say('fim') },
      { b: silent('d', { validationType: 'Email' }), d: say('fim') },
    ]) {
      const waiting = chat(blocks)
      await waiting.say(open)
      await waiting.press('Sim')
      expect(waiting.state.status).toBe('waiting')
      expect(await waiting.say('ana@example.org')).toEqual(['fim'])
    }
  })

  it('a wrong answer gets its retry text, at most as often as it says [D-3A.13] [R-38]', async () => {
    const more = { maxRetries: 1, retryPrompt: 'Um e-mail, por favor', data: { validationType: 'Email' } }
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: ask('text', 'email', { output_1: 'b', output_giveup: 'c' }, more),
          b: say('ok'),
          c: say('desisto'),
        },
      }),
    )
    await chat.say(open)
    expect(await chat.say('nada')).toEqual(['Um e-mail, por favor'])
    expect(await chat.say('nada')).toEqual(['desisto'])
    expect(chat.state.variables.email).toBeNull()
  })

  it('takes its options from a variable by two paths [D-3A.14] [R-39]', async () => {
    const fill = {
      type: 'assignvariables',
      properties: { variables: [{ name: 'lista', value: '{{[{t: "Um", v: 1}, {t: "Dois", v: 2}]}}' }] },
      to: 'b',
    }
    const dynamic = {
      isPromptDynamic: true,
      extractFromVariable: 'lista',
      jsonPathRuleForTitleExtractor: '$[*].t',
      jsonPathRuleForValueExtractor: '$[*].v',
    }
    const chat = talk(releaseOf({ main: { start, a: fill, b: ask('choice', 'n', 'c', dynamic), c: say('{{n}}') } }))
    await chat.say(open)
    expect(chat.last.said[0]?.actions.map(({ title, value }) => [title, value])).toEqual([
      ['Um', '1'],
      ['Dois', '2'],
    ])
    expect(await chat.press('Dois')).toEqual(['2'])
  })

  it('lets no intents take over but those that it names [D-3A.15] [R-38]', async () => {
    const nlu = { ...settingsWith().nlu, enabled: true, intentConfidence: 0.5 }
    const mapping = (intent: string, dialog: string) =>
      ({
        type: 'intent',
        of: [intent],
        level: 'bot',
        within: null,
        offOnPrompts: false,
        target: { action: 'calldialog', dialog },
      }) as const
    const talking = (intent: string) =>
      talk(
        releaseOf({
          main: {
            start,
            a: ask('text', 'nome', 'b', { overrideIntentHandler: true, overrideIntents: ['preço'] }),
            b: say('Oi, {{nome}}'),
          },
          price: { start, a: say('10 reais') },
        }),
        settingsWith({ nlu, mappings: [mapping('preço', 'price'), mapping('frete', 'price')] }),
        { nlu: () => ({ ok: true, intents: [{ name: intent, confidence: 0.9 }], entities: [] }) },
      )
    const named = talking('preço')
    await named.say(open)
    expect(await named.say('quanto é?')).toEqual(['10 reais', 'nome?'])
    const other = talking('frete')
    await other.say(open)
    expect(await other.say('Frederico')).toEqual(['Oi, Frederico'])
  })

  it('an answer is there for sub-dialogs and sub-tasks where it is shared, and only there [D-3A.16] [R-38]', async () => {
    const tasks = new Map(
      ['task', 'other'].map(id => [id, { id, name: id, principal: id === 'task' ? 'main' : 'sub', utterances: [] }]),
    )
    const heard = async (more: object) => {
      const chat = talk(
        releaseOf({
          main: {
            start,
            a: ask('text', 'nome', 'b', more as never),
            b: { type: 'subdialog', properties: { subScenario: 'sub' }, to: 'c' },
            c: { type: 'gototaskandwait', properties: { task: 'other' } },
          },
          sub: { start, a: say('[{{nome}}]') },
        }),
        settingsWith({ tasks, variables: [variable('nome')] }),
      )
      await chat.say(open)
      return chat.say('Ana')
    }
    expect(await heard({})).toEqual(['[]', '[]'])
    expect(await heard({ dataAvailableForSubDialogs: true })).toEqual(['[Ana]', '[]'])
    expect(await heard({ dataAvailableForSubTasks: true })).toEqual(['[]', '[Ana]'])
  })

  it('offers what a model suggests beside the question [R-38]', async () => {
    const chat = talk(
      release({ enableSuggestedActions: true, intent: 'saudar' }),
      settingsWith({ responses: new Map([['saudar', ['Oi!', 'Olá!']]]) }),
    )
    await chat.say(open)
    expect(chat.last.said[0]?.actions.map(({ title }) => title)).toEqual(['Oi!', 'Olá!'])
    expect(await chat.press('Olá!')).toEqual(['Olá! Olá!'])
  })

  test.each([
    [90, 'Bia'],
    [60, 'eu sou a Ana'],
  ])('takes the entity that a model found with %i %%, where it is sure enough [D-3A.08] [R-38]', async (sure, kept) => {
    const chat = talk(
      release({ entityconfidence: 70 }),
      settingsWith({ nlu: { ...settingsWith().nlu, enabled: true } }),
      { nlu: () => ({ ok: true, intents: [], entities: [{ name: 'nome', value: 'Bia', confidence: sure / 100 }] }) },
    )
    await chat.say(open)
    await chat.say('eu sou a Ana')
    expect(chat.state.variables.nome).toBe(kept)
  })

  test.each([
    ['button', 2, 'button'],
    ['inline', 2, 'inline'],
    ['auto', 3, 'button'],
    ['auto', 4, 'list'],
  ])('its options come as %s: %i of them [R-40]', async (listStyle, length, list) => {
    const options = Array.from({ length }, (_, at) => ({ label: `Opção ${at}`, value: '' }))
    const chat = talk(
      releaseOf({
        main: { start, a: ask('choice', 'n', 'b', { data: { options, config: { listStyle } } }), b: say('') },
      }),
    )
    await chat.say(open)
    expect(chat.last.said[0]?.asks?.list).toBe(list)
  })
})
