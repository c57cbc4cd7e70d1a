import { describe, expect, it } from 'vitest'
import { ask, open, releaseOf, say, settingsWith, start, talk } from './fixture/talk.ts'

describe('a question', () => {
  it('is asked again as often as it says, and then given up [R-38]', async () => {
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: ask('number', 'idade', { output_1: 'b', output_giveup: 'c' }, { maxRetries: 2 }),
          b: say('{{idade}}'),
          c: say('Desisto'),
        },
      }),
    )
    await chat.say(open)
    expect(await chat.say('x')).toEqual(['prompt.invalid.number', 'idade?'])
    expect(await chat.say('y')).toEqual(['prompt.invalid.number', 'idade?'])
    expect(await chat.say('z')).toEqual(['Desisto'])
    expect(chat.state.variables.idade).toBeNull()
  })

  it('names the document that it wants [R-38] [P-1734]', async () => {
    const flow = { main: { start, a: ask('number', 'cpf', 'b', { data: { validationType: 'CPF' } }), b: say('ok') } }
    const messages = new Map([['prompt.invalid.number.cpf', 'Confira o CPF']])
    const chat = talk(releaseOf(flow), settingsWith({ messages }))
    await chat.say(open)
    expect(await chat.say('529.982.247-26')).toEqual(['Confira o CPF', 'cpf?'])
    expect(await chat.say('529.982.247-25')).toEqual(['ok'])
  })

  it('says its retry text instead of message and question [R-38]', async () => {
    const chat = talk(
      releaseOf({
        main: { start, a: ask('number', 'idade', 'b', { retryPrompt: 'Em números, por favor' }), b: say('ok') },
      }),
    )
    await chat.say(open)
    expect(await chat.say('x')).toEqual(['Em números, por favor'])
    expect(await chat.say('1.234,5')).toEqual(['ok'])
    expect(chat.state.variables.idade).toBe(1234.5)
  })

  it('may be skipped where it is optional [R-38]', async () => {
    const chat = talk(releaseOf({ main: { start, a: ask('text', 'email', 'b', { mandatory: false }), b: say('ok') } }))
    await chat.say(open)
    expect(await chat.press('prompt.skip')).toEqual(['ok'])
    expect(chat.state.variables.email).toBeNull()
  })

  it('asks whether a value that it has already is still right [R-38]', async () => {
    const again = ask('text', 'nome', 'd', { suggestionWhenDataAlreadyAvailable: 'Ainda é {{nome}}?' })
    const chat = talk(releaseOf({ main: { start, a: ask('text', 'nome', 'c'), c: again, d: say('Oi, {{nome}}') } }))
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['Ainda é Ana?'])
    expect(await chat.say('não')).toEqual(['nome?'])
    expect(await chat.say('Bia')).toEqual(['Oi, Bia'])
  })

  it('an option that is written or named by its number is the same input as the pressed one [P-1035]', async () => {
    const options = [
      { label: 'Boleto', value: 'b' },
      { label: 'Cartão', value: 'c' },
    ]
    const rules = [{ source: 'input', comparison: 'equals', values: ['c'] }]
    const fork = {
      type: 'condition',
      properties: { conditions: [{ id: 'k', rules }] },
      to: { k: 'k', output_default: 'z' },
    }
    for (const answer of ['2', 'cartao', 'Cartão', 'c']) {
      const main = {
        start,
        a: ask('choice', '', 'b', { data: { options } }),
        b: fork,
        k: say('{{input.text}}'),
        z: say('?'),
      }
      const chat = talk(releaseOf({ main }))
      await chat.say(open)
      expect(await chat.say(answer)).toEqual([answer])
    }
  })

  it('offers its options, and takes their number, title or value [R-39] [R-40]', async () => {
    const options = [
      { label: 'Boleto', value: 'b' },
      { label: 'Cartão', value: 'c' },
    ]
    const chat = talk(
      releaseOf({ main: { start, a: ask('choice', 'modo', 'b', { data: { options } }), b: say('{{modo}}', 'a') } }),
    )
    await chat.say(open)
    expect(chat.last.said[0]).toMatchObject({
      asks: { kind: 'choice', list: 'button' },
      actions: [
        { title: 'Boleto', value: 'b' },
        { title: 'Cartão', value: 'c' },
      ],
    })
    expect(await chat.press('Cartão')).toEqual(['c', 'modo?'])
    expect(await chat.say('1')).toEqual(['b', 'modo?'])
    expect(await chat.say('cartao')).toEqual(['c', 'modo?'])
  })

  it('takes its options from data, and gives up where there are none [R-39]', async () => {
    const dynamic = {
      isPromptDynamic: true,
      extractFromVariable: 'planos',
      jsonPathRuleForTitleExtractor: '$[*].nome',
      jsonPathRuleForValueExtractor: '$[*].id',
    }
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: ask('choice', 'plano', { output_1: 'b', output_giveup: 'c' }, dynamic),
          b: say('{{plano}}'),
          c: say('nenhum'),
        },
      }),
    )
    expect(await chat.say(open)).toEqual(['nenhum'])
    const filled = talk(
      releaseOf({
        main: {
          start,
          a: {
            type: 'assignvariables',
            properties: { variables: [{ name: 'planos', value: '{{[{nome: "Ouro", id: 7}]}}' }] },
            to: 'p',
          },
          p: ask('choice', 'plano', 'b', dynamic),
          b: say('{{plano}}'),
        },
      }),
    )
    await filled.say(open)
    expect(await filled.press('Ouro')).toEqual(['7'])
  })

  it('is asked again for a value that its variable schema does not take [R-38]', async () => {
    const schemas = new Map([['small', { type: 'number', maximum: 10 }]])
    const asked = ask('number', 'n', 'b', { variableschema: 'small' })
    const chat = talk(releaseOf({ main: { start, a: asked, b: say('ok') } }), settingsWith({ schemas }))
    await chat.say(open)
    expect(await chat.say('11')).toEqual(['prompt.invalid.number', 'n?'])
    expect(await chat.say('9')).toEqual(['ok'])
  })

  it('offers and takes only the days that its variable schema leaves [R-38] [P-711]', async () => {
    const schema = {
      type: 'string',
      formatMinimum: '2026-05-10',
      formatMaximum: '2026-05-20',
      not: { enum: ['2026-05-12'] },
    }
    const asked = ask('time', 'dia', 'b', { variableschema: 'week', data: { dateExtractType: 'date' } })
    const schemas = new Map([['week', schema]])
    const chat = talk(releaseOf({ main: { start, a: asked, b: say('{{dia}}') } }), settingsWith({ schemas }))
    await chat.say(open)
    expect(chat.last.said[0]?.asks?.days).toEqual({ from: '2026-05-10', to: '2026-05-20', except: ['2026-05-12'] })
    for (const day of ['2026-05-09', '2026-05-12', '2026-05-21']) {
      expect(await chat.say(day)).toEqual(['prompt.invalid.time', 'dia?'])
    }
    expect(await chat.say('2026-05-13')).toEqual(['2026-05-13'])
  })

  it('hides a masked answer from messages and steps [R-85]', async () => {
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: ask('text', 'senha', 'b', { data: { textStyle: 'password' } }),
          b: say('[{{senha}}{{input.text}}]'),
        },
      }),
    )
    await chat.say(open)
    expect(chat.last.said[0]?.asks?.mask).toBe(true)
    await chat.say('segredo')
    expect(JSON.stringify([chat.last.said, chat.last.steps])).not.toContain('segredo')
    expect(chat.state.masked).toEqual(['senha'])
  })
})
