import { describe, expect, test } from 'vitest'
import { ask, open, releaseOf, say, settingsWith, start, talk } from './fixture/talk.ts'
import { type BotMessage, dataOf, pressOf } from './message.ts'

const NEWEST = settingsWith({ newestButtonsOnly: true })

const messageOf = (chat: ReturnType<typeof talk>, place = 0): BotMessage => {
  const message = chat.last.said[place]
  if (message === undefined) throw new Error('nothing was said')
  return message
}
const press = (message: BotMessage, title: string) => {
  const action = message.actions.find(each => each.title === title)
  if (action === undefined) throw new Error(`no button ${title}`)
  return pressOf(message, action)
}
const yes = 'prompt.yes'
const no = 'prompt.no'
const card = (varname: string, to: string, title = 'Pedir') => ({
  type: 'herocard',
  properties: { title, varname, buttons: [{ type: 'postBack', title: 'Sim, pedir', value: 'pedir' }] },
  to,
})

describe('a press', () => {
  test.each([
    ['', undefined],
    [' with buttons of the newest message alone', NEWEST],
  ])('answers its own question once%s [R-53] [P-1720]', async (_, settings) => {
    const release = releaseOf({
      main: { start, a: ask('confirm', 'um', 'b'), b: ask('confirm', 'dois', 'c'), c: say('{{um}} {{dois}}') },
    })
    const chat = talk(release, settings)
    await chat.say(open)
    const first = press(messageOf(chat), yes)
    expect(await chat.say(first)).toEqual(['dois?'])
    const second = press(messageOf(chat), no)
    expect(await chat.say(first)).toEqual([])
    expect(chat.state.status).toBe('waiting')
    expect(chat.last.problems).toEqual([{ code: 'press.stale' }])
    expect(await chat.say(second)).toEqual(['true false'])
    expect(await chat.say(second)).toEqual([])
  })

  test('belongs to an earlier question when a block runs again, and to the same one when it repeats its question [P-1720]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: ask('confirm', 'certo', 'b'), b: say('{{certo}}', 'a') } }),
      settingsWith({ userTimeout: 1000 }),
    )
    await chat.say(open)
    const first = press(messageOf(chat), yes)
    expect(await chat.say('talvez')).toHaveLength(2)
    await chat.say({ kind: 'reminder' })
    expect(await chat.say(first)).toEqual(['true', 'certo?'])
    expect(await chat.say(first)).toEqual([])
  })

  test('on the question whether a kept value holds is none on the question itself [P-1720]', async () => {
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: { type: 'assignvariables', properties: { variables: [{ name: 'certo', value: 'true' }] }, to: 'b' },
          b: ask('confirm', 'certo', 'c', { suggestionWhenDataAlreadyAvailable: 'Ainda?' }),
          c: say('{{certo}}'),
        },
      }),
    )
    await chat.say(open)
    const first = press(messageOf(chat), no)
    expect(await chat.say(first)).toEqual(['certo?'])
    expect(await chat.say(first)).toEqual([])
    expect(chat.state.status).toBe('waiting')
  })

  test.each([
    ['at once', []],
    ['after a refused answer', ['talvez']],
  ])('on a question that was asked before questions had numbers counts once, %s [P-1944]', async (_, refused) => {
    const main = {
      start,
      a: card('v', 'b'),
      b: ask('confirm', 'um', 'c'),
      c: ask('confirm', 'dois', 'd'),
      d: say('{{um}} {{dois}}'),
    }
    const chat = talk(releaseOf({ main }))
    await chat.say(open)
    await chat.say(press(messageOf(chat), 'Sim, pedir'))
    const { question: _question, ...asked } = messageOf(chat)
    const frames = chat.state.frames.map(({ wait, ...frame }) => {
      const { question: _number, ...old } = wait ?? expect.fail('nothing waits')
      return { ...frame, wait: old }
    })
    chat.state = { ...chat.state, frames }
    for (const words of refused) expect(await chat.say(words)).toHaveLength(2)
    const old = press(asked, yes)
    expect(await chat.say(old)).toEqual(['dois?'])
    const second = press(messageOf(chat), no)
    expect(await chat.say(old)).toEqual([])
    expect(chat.last.problems).toEqual([{ code: 'press.stale' }])
    expect(await chat.say(second)).toEqual(['true false'])
  })

  test('on a card with a variable is no answer to the question after it [R-53] [P-1720]', async () => {
    for (const settings of [undefined, NEWEST]) {
      const chat = talk(
        releaseOf({ main: { start, a: card('v', 'b'), b: ask('text', 'nome', 'c'), c: say('Para {{nome}}') } }),
        settings,
      )
      await chat.say(open)
      const order = press(messageOf(chat), 'Sim, pedir')
      expect(await chat.say(order)).toEqual(['nome?'])
      expect(await chat.say(order)).toEqual([])
      expect(await chat.say('Ana')).toEqual(['Para Ana'])
    }
  })

  test('on a card that asks nothing answers what waits, unless older buttons are off [R-52] [R-53] [P-1720]', async () => {
    const flow = {
      main: { start, a: card('', 'b'), b: ask('text', 'nome', 'c'), c: ask('text', 'fim', 'd'), d: say('{{fim}}') },
    }
    const chat = talk(releaseOf(flow))
    await chat.say(open)
    const order = press(messageOf(chat), 'Sim, pedir')
    expect(await chat.say(order)).toEqual(['fim?'])
    expect(await chat.say(order)).toEqual(['pedir'])
    const strict = talk(releaseOf(flow), NEWEST)
    await strict.say(open)
    expect(await strict.say(press(messageOf(strict), 'Sim, pedir'))).toEqual(['fim?'])
    expect(await strict.say(order)).toEqual([])
  })

  test('sends the inputs of an adaptive card once [P-1720]', async () => {
    const form = (varname: string, to: string) => ({
      type: 'adaptivecard',
      properties: { body: [{ type: 'Input.Text', id: 'n' }], actions: [], putSubmitButton: true, varname },
      to,
    })
    const chat = talk(
      releaseOf({ main: { start, a: form('um', 'b'), b: form('dois', 'c'), c: say('{{um.n}} {{dois.n}}') } }),
    )
    await chat.say(open)
    const first = messageOf(chat)
    await chat.say(dataOf('submit', { n: 'A' }, first))
    const second = messageOf(chat)
    await chat.say(dataOf('submit', { n: 'A' }, first))
    expect(await chat.say(dataOf('submit', { n: 'B' }, second))).toEqual(['A B'])
  })

  test('says the value of an imBack and the title of a postBack as the words of the person [R-52] [P-1733]', async () => {
    const buttons = [
      { type: 'imBack', title: 'Diga', value: 'dito em voz alta' },
      { type: 'postBack', title: 'Mande', value: 'segredo' },
    ]
    const flow = {
      main: {
        start,
        a: { type: 'herocard', properties: { title: 'T', varname: 'v', buttons }, to: 'b' },
        b: say('{{input.text}}'),
      },
    }
    for (const [title, words] of [
      ['Diga', 'dito em voz alta'],
      ['Mande', 'Mande'],
    ]) {
      const chat = talk(releaseOf(flow))
      await chat.say(open)
      expect(await chat.press(title ?? '')).toEqual([words])
    }
  })
})
