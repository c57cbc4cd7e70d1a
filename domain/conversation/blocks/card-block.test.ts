import { describe, expect, it, test } from 'vitest'
import { type DialogSketch, open, releaseOf, say, start, talk } from '../fixture/talk.ts'
import { shownActions } from '../message.ts'

const one = (type: string, properties: object, rest: DialogSketch = {}) =>
  talk(
    releaseOf({
      main: {
        start,
        a: { type: 'assignvariables', properties: { variables: [{ name: 'p', value: 'Abajur' }] }, to: 'b' },
        b: { type, properties: properties as never, to: 'c' },
        c: say('{{r}}'),
        ...rest,
      },
    }),
  )
const buttons = [
  { type: 'imBack', title: 'Levar <p>', value: 'levar' },
  { type: 'openUrl', title: 'Ver', value: 'https://x.example/' },
  { type: 'postBack', title: '', value: 'nobody sees it' },
]

describe('a card with a picture and buttons', () => {
  test.each(['herocard', 'variablecard'])('%s is sent and passes on [D-3.12.43] [R-51]', async type => {
    const chat = one(type, {
      title: 'Luz',
      subtitle: 'Nova',
      text: '<b>Oi</b>',
      image: 'https://x.example/1.png',
      buttons,
    })
    await chat.say(open)
    const [card] = chat.last.said
    expect(card?.content).toEqual({
      type: 'card',
      title: 'Luz',
      subtitle: 'Nova',
      text: '**Oi**',
      image: 'https://x.example/1.png',
      thumbnail: false,
    })
    expect(card?.actions.map(({ type: kind, title, value }) => [kind, title, value])).toEqual([
      ['imBack', 'Levar Abajur', 'levar'],
      ['openUrl', 'Ver', 'https://x.example/'],
    ])
    expect(chat.state.status).toBe('idle')
  })

  it('waits where it has a variable, for a button or for words [D-3.12.43] [R-51]', async () => {
    const chat = one('herocard', { title: 'Luz', buttons, varname: 'r' })
    await chat.say(open)
    expect(chat.state.status).toBe('waiting')
    expect(await chat.press('Ver')).toEqual(['https://x.example/'])
    const written = one('herocard', { title: 'Luz', buttons, varname: 'r' })
    await written.say(open)
    expect(await written.say(' nenhum ')).toEqual(['nenhum'])
  })

  it('gives up by its own output with null [R-51]', async () => {
    const chat = one('herocard', { title: 'Luz', varname: 'r', maxRetries: 0 })
    await chat.say(open)
    expect(await chat.say('   ')).toEqual([])
    expect(chat.state.variables.r).toBeNull()
    expect(chat.state.status).toBe('idle')
  })
})

describe('adaptivecard', () => {
  it('fills its placeholders, and takes its inputs as an object [D-3.12.43] [R-51]', async () => {
    const body = [
      { type: 'TextBlock', text: '<p>' },
      { type: 'Input.Text', id: 'nome' },
    ]
    const chat = one('adaptivecard', { body: body as never, actions: [], putSubmitButton: true, varname: 'r' })
    await chat.say(open)
    expect(chat.last.said[0]?.content).toMatchObject({ type: 'adaptive', submit: true })
    await chat.say({ kind: 'submit', data: { nome: 'Ana' } } as never)
    expect(chat.state.variables.r).toEqual({ nome: 'Ana' })
  })
})

describe('actions of an adaptive card', () => {
  const actions = [
    { type: 'Action.Submit', title: 'OK', data: 'enviado' },
    { type: 'Action.ShowCard', title: 'Mais', card: { body: [{ type: 'TextBlock', text: '<p>' }] } },
  ]
  const body = [
    { type: 'Input.Text', id: 'n' },
    { type: 'TextBlock', text: 'Até {{DATE(2026-05-04T10:00:00Z,SHORT)}} às {{TIME(2026-05-04T10:00:00Z)}}, <p>' },
  ]

  it('keeps them beside those of its block, and its dates [R-51] [P-1721] [P-1723]', async () => {
    const chat = one('adaptivecard', { body: body as never, actions: actions as never, varname: 'r', mandatory: false })
    await chat.say(open)
    expect(chat.last.problems).toEqual([])
    const [message] = chat.last.said
    expect(message && shownActions(message)).toEqual([
      { type: 'Action.Submit', title: 'OK', data: 'enviado' },
      { type: 'Action.ShowCard', title: 'Mais', card: { body: [{ type: 'TextBlock', text: 'Abajur' }] } },
      { id: 'skip', type: 'skip', title: 'prompt.skip', value: '' },
    ])
    const shown = message?.content.type === 'adaptive' ? message.content.body : undefined
    expect(shown).toEqual([
      body[0],
      { type: 'TextBlock', text: 'Até {{DATE(2026-05-04T10:00:00Z,SHORT)}} às {{TIME(2026-05-04T10:00:00Z)}}, Abajur' },
    ])
    await chat.say({ kind: 'submit', data: 'enviado' })
    expect(chat.state.variables.r).toBe('enviado')
  })
})

describe('productcard', () => {
  const shown = {
    headerType: 'TEXT',
    headerContent: 'Loja',
    bodyContent: 'Veja',
    footerContent: 'Fim',
    destination: '',
  }

  it('shows one product of a catalogue, and takes the order [D-3.12.43] [R-51]', async () => {
    const chat = one('productcard', {
      ...shown,
      messageType: 'SINGLE_PRODUCT',
      singleProductCatalogId: 'cat',
      singleProductId: 'p1',
      varname: 'r',
    })
    await chat.say(open)
    expect(chat.last.said[0]?.content).toEqual({
      type: 'product',
      product: { headerType: 'TEXT', header: 'Loja', body: 'Veja', footer: 'Fim', catalog: 'cat', product: 'p1' },
    })
    const order = { id: 'o1', order: [{ id: 'p1', currency: 'BRL', amount: 10, quantity: 2 }] }
    await chat.say({ kind: 'order', data: order } as never)
    expect(chat.state.variables.r).toEqual(order)
  })

  it('shows several by section, at the address that it names [D-3.12.43] [R-51]', async () => {
    const chat = one('productcard', {
      ...shown,
      messageType: 'MULTI_PRODUCT',
      multiProductCatalogId: 'cat',
      sections: [{ title: 'Luz', productList: ['p1', 'p2'] }],
      destination: 'whatsapp:+5511',
    })
    await chat.say(open)
    expect(chat.last.said[0]).toMatchObject({
      destination: 'whatsapp:+5511',
      content: { product: { catalog: 'cat', sections: [{ title: 'Luz', products: ['p1', 'p2'] }] } },
    })
  })
})

describe('a message to an address', () => {
  it.each([['{{user.id}}'], ['webchat:u1'], ['web:u1'], ['']])(
    'is for the person at %j [R-36] [P-1732]',
    async destination => {
      const card = one('productcard', { bodyContent: 'Veja', singleProductId: 'p1', destination, varname: 'r' })
      await card.say(open)
      expect(card.last.said[0]?.destination).toBeUndefined()
      const words = one('sendmessage', { text: 'Oi', destination })
      await words.say(open)
      expect(words.last.said[0]?.destination).toBeUndefined()
    },
  )
})

describe('cards that never wait', () => {
  it('mediacard sends its picture, sound or film; one without an address is a problem [D-3.12.43] [R-52]', async () => {
    const chat = one('mediacard', {
      mediaCardType: 'Video',
      media: { title: 'Filme', uri: 'https://x.example/1.mp4' },
      buttons,
    })
    await chat.say(open)
    expect(chat.last.said[0]?.content).toMatchObject({ type: 'media', kind: 'Video', url: 'https://x.example/1.mp4' })
    expect(chat.last.said[0]?.actions).toHaveLength(2)
    const bare = one('mediacard', { media: { uri: ' ' } })
    expect(await bare.say(open)).toEqual([])
    expect(bare.last.problems).toEqual([{ code: 'missing.address', at: 'media.uri' }])
  })

  it('carousel sends its cards but empty ones, whose buttons answer what waits next [D-3.12.43] [R-52] [P-2096]', async () => {
    const filled = [1, 2].map(at => ({
      header: { type: 'image/png', value: { title: `Card ${at}`, text: 'x', uri: `https://x.example/${at}.png` } },
      options: [{ type: 'imBack', title: `Levar ${at}`, value: `lamp-${at}` }],
    }))
    const items = [...filled, { header: { type: 'image/png', value: { title: ' ', text: '', uri: '' } }, options: [] }]
    const chat = one(
      'carousel',
      { cards: { itemType: 'herocard', items: items as never } },
      {
        c: { type: 'prompt', properties: { varname: 'r', data: { type: 'text', text: 'Qual?' } }, to: 'd' },
        d: say('{{r}}'),
      },
    )
    await chat.say(open)
    const [content] = chat.last.said.map(message => message.content)
    const cards = content?.type === 'carousel' ? content.cards : []
    expect(cards.map(({ title, image, actions }) => [title, image, actions[0]?.id])).toEqual([
      ['Card 1', 'https://x.example/1.png', '1.1'],
      ['Card 2', 'https://x.example/2.png', '2.1'],
    ])
    const [action] = cards[1]?.actions ?? []
    if (action === undefined) throw new Error('no button')
    expect(await chat.say({ kind: 'choice', message: chat.last.said[0]?.id ?? 0, action })).toEqual(['lamp-2'])
  })

  test.each([
    [
      'microsoft_channels',
      { title: 'Nota', facts: [{ key: 'Pedido', value: '<p>' }], items: [{ title: 'Luz', price: '10' }] },
    ],
    [
      'facebook',
      { recipient_name: 'Ana', order_number: '<p>', summary: { total_cost: '10' }, address: { city: 'São Paulo' } },
    ],
  ] as const)('receiptcard sends what its family shows: %s [D-3.12.43] [R-52]', async (family, receipt) => {
    const chat = one('receiptcard', { specificToChannel: family, ...receipt, title: 'Nota', recipient_name: 'Ana' })
    await chat.say(open)
    const content = chat.last.said[0]?.content
    const shown: Record<string, unknown> = content?.type === 'receipt' ? { ...content.receipt } : {}
    expect(content).toMatchObject({ family })
    expect(JSON.stringify(shown)).not.toContain('<p>')
    expect(['title' in shown, 'recipient_name' in shown]).toEqual(family === 'facebook' ? [false, true] : [true, false])
  })
})
