import { describe, expect, it, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { ask, type DialogSketch, open, releaseOf, say, settingsWith, start, talk, variable } from '../fixture/talk.ts'

const assign = (variables: readonly { name: string; value: string }[], to?: string): DialogSketch[string] => ({
  type: 'assignvariables',
  properties: { variables: [...variables] },
  ...(to === undefined ? {} : { to }),
})
/** The variables of a conversation after a block that stands between an answer and the end. */
const answered = async (blocks: DialogSketch, settings = settingsWith(), answer = 'Ana') => {
  const chat = talk(releaseOf({ main: { start, a: ask('text', 'nome', 'b'), ...blocks } }), settings)
  await chat.say(open)
  await chat.say(answer)
  return chat
}

describe('assignvariables', () => {
  it('sets variables in their order, each as its declared type [D-3.12.30] [R-41]', async () => {
    const lines = [
      { name: 'n', value: '{{6 * 7}}' },
      { name: 'texto', value: '{{n}}' },
      { name: 'lista', value: '{{[n, nome]}}' },
      { name: 'sim', value: 'true' },
    ]
    const variables = [
      variable('n', 'number', 'conversation'),
      variable('texto', 'string', 'conversation'),
      variable('lista', 'array', 'conversation'),
      variable('sim', 'boolean', 'conversation'),
    ]
    const chat = await answered({ b: assign(lines) }, settingsWith({ variables }))
    expect(chat.state.variables).toEqual({ nome: 'Ana', n: 42, texto: '42', lista: [42, 'Ana'], sim: true })
    expect(chat.last.steps.find(({ block }) => block === 'b')?.wrote).toEqual(['n', 'texto', 'lista', 'sim'])
  })

  it('a value of another type is null, with a problem [D-3.12.30] [R-41]', async () => {
    const settings = settingsWith({ variables: [variable('n', 'number', 'conversation')] })
    const chat = await answered({ b: assign([{ name: 'n', value: '{{nome}}' }]) }, settings)
    expect(chat.state.variables.n).toBeNull()
    expect(chat.last.problems).toEqual([{ code: 'variable.datatype', at: 'n' }])
  })

  it('leads into an object, and takes no name that is none [R-41] [R-55]', async () => {
    const lines = [
      { name: 'pedido.total', value: '{{10}}' },
      { name: '__proto__', value: 'x' },
    ]
    const chat = await answered({ b: assign(lines) })
    expect(chat.state.variables.pedido).toEqual({ total: 10 })
    expect(Object.getPrototypeOf(chat.state.variables)).toBe(Object.prototype)
  })

  it('a value beyond 256 KiB is not kept [R-55]', async () => {
    const doubled = Array.from({ length: 16 }, (_, at): [string, DialogSketch[string]] => [
      `d${at}`,
      assign([{ name: 's', value: '{{s + s}}' }], at === 15 ? undefined : `d${at + 1}`),
    ])
    const first = assign([{ name: 's', value: 'x'.repeat(10) }], 'd0')
    const chat = await answered({ b: first, ...Object.fromEntries(doubled) })
    expect(String(chat.state.variables.s).length).toBeLessThanOrEqual(256 * 1024)
    expect(chat.last.problems).toContainEqual({ code: 'variable.size', at: 's' })
  })
})

describe('scopes', () => {
  it('a dialog-local variable ends with its dialog, others with the conversation or never [C-3.49] [R-54] [R-55]', async () => {
    const variables = [
      variable('local'),
      variable('conversa', 'string', 'conversation'),
      variable('sempre', 'string', 'user'),
    ]
    const names = ['local', 'conversa', 'sempre']
    const sub = {
      start,
      a: assign(
        names.map(name => ({ name, value: 'dentro' })),
        'b',
      ),
      b: say('{{local}}'),
    }
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: { type: 'subdialog', properties: { subScenario: 'sub' }, to: 'c' },
          c: say('[{{local}}] {{conversa}} {{sempre}}'),
        },
        sub,
      }),
      settingsWith({ variables }),
    )
    expect(await chat.say(open)).toEqual(['dentro', '[] dentro dentro'])
    expect([chat.state.variables, chat.state.userdata]).toEqual([{ conversa: 'dentro' }, { sempre: 'dentro' }])
  })

  it('the nearest of one name is read: dialog, conversation, person, installation [C-3.49] [R-54]', async () => {
    const settings = settingsWith({ globals: { cidade: 'global' }, variables: [variable('cidade', 'string', 'user')] })
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: say('{{cidade}}', 'b'),
          b: assign([{ name: 'cidade', value: 'minha' }], 'c'),
          c: say('{{cidade}}'),
        },
      }),
      settings,
    )
    expect(await chat.say(open)).toEqual(['global', 'minha'])
  })

  it('contains the built-in values, also under the names of other products [R-54]', async () => {
    const chat = await answered({
      b: say('{{input.text}}|{{input.message.text}}|{{bot.name}}|{{channel}}|{{conversation.id}}|{{user.id}}'),
    })
    expect(chat.last.said[0]?.content).toEqual({ type: 'text', text: 'Ana|Ana|Bia|webchat|c1|u1' })
  })

  it('exposes the person as contact in imported flows, with the channel as source unless set otherwise [P-1030]', async () => {
    const keep = (to: string) => ({
      type: 'assignuserdata',
      properties: { name: '{{input.text}}', extras: [{ name: 'plano', value: 'ouro' }] },
      to,
    })
    const shown = say(
      '{{contact.name}}|{{contact.identity}}|{{contact.extras.plano}}|{{contact.source}}|{{input.message.fromidentity}}',
    )
    const chat = await answered({ b: keep('c'), c: shown })
    expect(chat.last.said[0]?.content).toEqual({ type: 'text', text: 'Ana|u1|ouro|webchat|u1' })
    const bridged = talk(releaseOf({ main: { start, a: say('{{contact.source}}') } }))
    bridged.state = { ...bridged.state, user: { id: 'u2', source: 'WhatsApp' } }
    expect(await bridged.say(open)).toEqual(['WhatsApp'])
  })

  it('hides a masked answer from texts under every name [R-85] [P-1031]', async () => {
    const variables = [variable('senha', 'string', 'user')]
    const secret = ask('text', 'senha', 'b', { data: { textStyle: 'password' } })
    const names = ['senha', 'context.senha', 'user.senha', 'contact.senha', 'contact.extras.senha', 'input.text']
    const shown = say(names.map(name => `{{${name}}}`).join('|'))
    const chat = talk(releaseOf({ main: { start, a: secret, b: shown } }), settingsWith({ variables }))
    await chat.say(open)
    expect(await chat.say('segredo')).toEqual(['|||||'])
    expect(chat.state.userdata).toEqual({ senha: 'segredo' })
  })
})

describe('clearvariables', () => {
  it('empties what it names, where it is found, and makes nothing new [D-3.12.32] [R-41]', async () => {
    const chat = await answered({
      b: { type: 'clearvariables', properties: { variables: ['nome', 'nunca'] }, to: 'c' },
      c: say('[{{nome}}]'),
    })
    expect(chat.state.variables).toEqual({ nome: null })
    expect(chat.last.said[0]?.content).toMatchObject({ text: '[]' })
  })
})

describe('transformdata', () => {
  const transformed = async (properties: object, pathParser: 'JSONPath' | 'JsonAta' = 'JSONPath') => {
    const fill = assign([{ name: 'pedidos', value: '{{[{id: 1, v: 10}, {id: 2, v: 30}]}}' }], 'c')
    const block = { type: 'transformdata', properties: { resultVariable: 'r', ...properties } }
    return answered({ b: fill, c: block }, settingsWith({ pathParser }))
  }

  test.each<[string, object, Json]>([
    ['a path that can mean one value gives it', { input: '{{pedidos}}', rule: '$[1].v' }, 30],
    ['another path gives all that it finds', { input: '{{pedidos}}', rule: '$[*].v' }, [10, 30]],
    ['without an input it looks at all variables', { rule: '$.pedidos[0].id' }, 1],
    ['an expression reads the input by name', { input: '{{pedidos}}', rule: 'input[0].v + 5' }, 15],
    ['and the variables by theirs', { rule: 'nome + "!"' }, 'Ana!'],
  ])('computes a variable from another: %s [D-3.12.31] [R-42]', async (_title, properties, value) => {
    const chat = await transformed(properties)
    expect(chat.state.variables.r).toEqual(value)
    expect(chat.last.problems).toEqual([])
  })

  it('in the other path language as well [D-3.12.31] [R-42]', async () => {
    expect((await transformed({ input: '{{pedidos}}', rule: '$sum(v)' }, 'JsonAta')).state.variables.r).toBe(40)
  })

  it('a rule that fails gives null, with a problem [R-42]', async () => {
    const chat = await transformed({ rule: 'nobody(' })
    expect(chat.state.variables.r).toBeNull()
    expect(chat.last.problems).toMatchObject([{ at: 'rule' }])
  })
})

describe('assignuserdata', () => {
  it('stores non-empty values for all conversations of the person and reports ill-formed ones [D-3.12.33] [R-43]', async () => {
    const properties = { name: '{{nome}}', email: 'nada', city: '', extras: [{ name: 'time', value: 'Azul' }] }
    const chat = await answered({
      b: { type: 'assignuserdata', properties, to: 'c' },
      c: say('{{user.name}} {{user.time}}'),
    })
    expect(chat.state.userdata).toEqual({ name: 'Ana', email: 'nada', time: 'Azul' })
    expect(chat.last.problems).toEqual([{ code: 'userdata.form', at: 'email' }])
    expect(chat.last.said[0]?.content).toMatchObject({ text: 'Ana Azul' })
  })
})

describe('expressions', () => {
  test.each([
    ['Jexl', '{{nome|upper}}', 'ANA'],
    ['ExprEval', '{{length(nome) + 1}}', '4'],
    ['JsonAta', '<@$uppercase(nome)@>', 'ANA'],
  ] as const)('run in the language that the bot chose: %s [D-3.13.03]', async (parser, text, shown) => {
    const chat = await answered({ b: say(text) }, settingsWith({ parser }))
    expect(chat.last.said[0]?.content).toEqual({ type: 'text', text: shown })
  })
})
