import { describe, expect, test } from 'vitest'
import { type CheckedStory, checkStory, type StoryNames, stepsOf } from './check-story.ts'

const NAMES: StoryNames = {
  intents: new Map([
    ['saldo', true],
    ['boleto', true],
    ['vazio', false],
    ['none', true],
  ]),
  entities: new Set(['conta']),
  actions: new Set(['Ver saldo', 'utter_boleto']),
}

/** `?intent`, `#entity`, `action` or `action=text`. */
const story = (id: string, ...steps: readonly string[]): CheckedStory => ({
  id,
  name: id,
  steps: steps.map(step => {
    if (step.startsWith('?')) return { kind: 'intent', name: step.slice(1), text: '' }
    if (step.startsWith('#')) return { kind: 'entity', name: step.slice(1), text: '' }
    const [name = '', text = ''] = step.split('=')
    return { kind: 'action', name, text }
  }),
})
const faults = (checked: CheckedStory, others: readonly CheckedStory[] = [], names = NAMES) =>
  checkStory(checked, others, names).map(({ code, step, name, other }) =>
    [code, step, name, ...(other ? [other.id, other.does] : [])].join(' '),
  )

describe('a story is checked [N-5.13]', () => {
  test('reports names unknown to the project and its bots by step [P-1086]', () => {
    expect(faults(story('a', '?saldo', '#conta', 'Ver saldo', '?boleto', 'utter_boleto'))).toEqual([])
    expect(faults(story('a', '?outra', '#lugar', 'nada', 'fala=Olá'))).toEqual([
      'intent 0 outra',
      'entity 1 lugar',
      'action 2 nada',
    ])
    // Actions of bots are unknown if the project has none.
    const names = { ...NAMES, actions: undefined }
    expect(faults(story('a', '?saldo', 'nada', 'action_listen'), [], names)).toEqual([])
  })

  test('so are steps that nobody gets to, and a story in which the bot does nothing [P-1086]', () => {
    expect(faults(story('a', '?vazio', 'Ver saldo'))).toEqual(['unsaid 0 vazio'])
    expect(faults(story('a', '?none', 'Ver saldo'))).toEqual(['unsaid 0 none'])
    expect(faults(story('a', '?saldo', 'action_restart', 'Ver saldo'))).toEqual(['unreachable 2 Ver saldo'])
    expect(faults(story('a', 'action_session_start', '?saldo', 'Ver saldo'))).toEqual([])
    expect(faults(story('a', 'Ver saldo'))).toEqual(['unreachable  '])
    expect(faults(story('a', '?saldo', '#conta'))).toEqual(['silent  '])
    expect(faults(story('a'))).toEqual([])
  })

  test('so are stories that are the same up to where the bot does something else [P-1087]', () => {
    const own = story('a', '?saldo', '#conta', 'Ver saldo')
    expect(faults(own, [story('b', '?saldo', '#conta', 'utter_boleto')])).toEqual([
      'contradiction 2 Ver saldo b utter_boleto',
    ])
    // The other waits; this one continues.
    expect(
      faults(story('a', '?saldo', 'Ver saldo', 'utter_boleto'), [story('b', '?saldo', 'Ver saldo', '?boleto')]),
    ).toEqual(['contradiction 2 utter_boleto b '])
    expect(faults(story('a', '?saldo', 'Ver saldo'), [story('b', '?saldo', 'Ver saldo', 'utter_boleto')])).toEqual([
      'contradiction   b utter_boleto',
    ])
    expect(faults(own, [own, story('b', '?saldo', '#conta', 'Ver saldo')])).toEqual(['same   b '])
    // People may continue differently; entities of one message have no order.
    expect(
      faults(story('a', '?saldo', 'Ver saldo', '?boleto', 'utter_boleto'), [
        story('b', '?saldo', 'Ver saldo', '?saldo', 'Ver saldo'),
      ]),
    ).toEqual([])
    expect(faults(own, [story('b', '?saldo', 'Ver saldo')])).toEqual([])
    const two = { ...NAMES, entities: new Set(['conta', 'mês']) }
    expect(
      faults(
        story('a', '?saldo', '#mês', '#conta', 'Ver saldo'),
        [story('b', '?saldo', '#conta', '#mês', 'utter_boleto')],
        two,
      ),
    ).toEqual(['contradiction 3 Ver saldo b utter_boleto'])
    expect(faults(story('a', '?saldo', 'fala=Oi'), [story('b', '?saldo', 'fala=Tchau')])).toEqual([
      'contradiction 1 fala b fala',
    ])
  })

  test('a project of 500 stories of 500 steps within 10 ms [P-1087]', () => {
    const steps = Array.from({ length: 499 }, (_, n) => (n % 2 === 0 ? '?saldo' : 'Ver saldo'))
    const others = Array.from({ length: 500 }, (_, n) =>
      story(`b${n}`, ...(n % 10 === 0 ? steps : ['?boleto', 'utter_boleto'])),
    )
    const own = story('a', ...steps, 'utter_boleto')
    // Time of the thread alone: others may have the processor meanwhile.
    const times = Array.from({ length: 10 }, () => {
      const before = process.threadCpuUsage()
      checkStory(own, others, NAMES)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(10)
    const found = checkStory(own, others, NAMES)
    expect(found).toHaveLength(20)
  })

  test('reads the valid steps of a malformed story [P-1086]', () => {
    expect(stepsOf([{ kind: 'action', name: ' Ver saldo ', text: null }, 7, { name: 'saldo' }])).toEqual([
      { kind: 'action', name: 'Ver saldo', text: '' },
      { kind: 'intent', name: 'saldo', text: '' },
    ])
    expect(stepsOf(null)).toEqual([])
  })
})
