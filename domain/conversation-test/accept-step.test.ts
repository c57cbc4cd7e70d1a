import { expect, test } from 'vitest'
import { acceptStep } from './accept-step.ts'
import { readTestFile } from './read-test-file.ts'

const SOURCE = `# Written by Joana
format: parley-test
version: 1
name: Saúda
steps:
  - user: oi # the usual
  - bot: { contains: Olá, options: [Sim, Não] }
  - bot: Até logo
  - expect: { at: Fim, variables: { nome: Ana, idade: 3 }, visited: [Meio, Fim] }
`
const stepsOf = (source: string | undefined) => {
  const read = readTestFile(source ?? '')
  return read.ok ? read.file.steps.map(({ kind, value }) => ({ [kind]: value })) : read.errors
}

test('takes the message that came, as far as the step speaks of messages, and keeps all else as it is written [P-900]', () => {
  const got = { text: 'Oi!', options: ['Sim'], wait: 'choice' }
  const accepted = acceptStep(SOURCE, { step: 2, kind: 'message', expected: { contains: 'Olá', options: [] }, got })
  expect(stepsOf(accepted)?.[1]).toEqual({ bot: { text: 'Oi!', options: ['Sim'] } })
  expect(accepted).toContain('# Written by Joana')
  expect(accepted).toContain('# the usual')
  const plain = acceptStep(SOURCE, {
    step: 3,
    kind: 'message',
    expected: 'Até logo',
    got: { text: '007', wait: 'text' },
  })
  expect(stepsOf(plain)?.[2]).toEqual({ bot: '007' })
  const card = acceptStep(SOURCE, {
    step: 3,
    kind: 'message',
    expected: 'Até logo',
    got: { type: 'card', card: 'Menu' },
  })
  expect(stepsOf(card)?.[2]).toEqual({ bot: { type: 'card', card: 'Menu' } })
})

test('drops a message that did not come and adds those that nobody named [P-900]', () => {
  expect(stepsOf(acceptStep(SOURCE, { step: 3, kind: 'silent', expected: 'Até logo', got: null }))).toHaveLength(3)
  const extra = acceptStep(SOURCE, {
    step: 2,
    kind: 'extra',
    expected: null,
    got: ['Um', { text: 'Dois', wait: 'text' }],
  })
  expect(stepsOf(extra)?.slice(2, 4)).toEqual([{ bot: 'Um' }, { bot: { text: 'Dois', wait: 'text' } }])
})

test('takes the state that holds, and no masked value or missing button [P-900]', () => {
  const at = acceptStep(SOURCE, { step: 4, kind: 'state', expected: { at: 'Fim' }, got: { at: 'Meio' } })
  expect(stepsOf(at)?.[3]).toMatchObject({ expect: { at: 'Meio', variables: { nome: 'Ana' } } })
  const values = { expected: { variables: { nome: 'Ana', idade: 3 } }, got: { variables: { nome: 'Bia', idade: 3 } } }
  expect(stepsOf(acceptStep(SOURCE, { step: 4, kind: 'state', ...values }))?.[3]).toMatchObject({
    expect: { variables: { nome: 'Bia', idade: 3 } },
  })
  const missed = acceptStep(SOURCE, {
    step: 4,
    kind: 'state',
    expected: { visited: ['Meio'] },
    got: { visited: ['Fim'] },
  })
  expect(stepsOf(missed)?.[3]).toMatchObject({ expect: { visited: ['Fim'] } })
  const masked = { expected: { variables: { nome: '••••••' } }, got: { variables: { nome: '••••••' } } }
  expect(acceptStep(SOURCE, { step: 4, kind: 'state', ...masked })).toBeUndefined()
  expect(acceptStep(SOURCE, { step: 1, kind: 'action', expected: { choose: 'Sim' }, got: [] })).toBeUndefined()
  expect(acceptStep(SOURCE, { step: 9, kind: 'message', expected: 'x', got: 'y' })).toBeUndefined()
})

test('takes the words alone, or the options as well where there are some [P-1054]', () => {
  const got = { text: 'Qual destas?', options: ['Ana', 'Bia'], wait: 'choice' }
  const failed = { step: 3, kind: 'message', expected: 'Até logo', got } as const
  expect(stepsOf(acceptStep(SOURCE, failed))?.[2]).toEqual({ bot: { text: 'Qual destas?', options: ['Ana', 'Bia'] } })
  expect(stepsOf(acceptStep(SOURCE, failed, 'words'))?.[2]).toEqual({ bot: 'Qual destas?' })
  const strict = { step: 2, kind: 'message', expected: { contains: 'Olá', options: ['Sim', 'Não'] }, got } as const
  expect(stepsOf(acceptStep(SOURCE, strict, 'words'))?.[1]).toEqual({
    bot: { text: 'Qual destas?', options: ['Sim', 'Não'] },
  })
  const card = { step: 3, kind: 'message', expected: 'Até logo', got: { type: 'card', card: 'Menu' } } as const
  expect(acceptStep(SOURCE, card, 'words')).toBeUndefined()
  const waits = { text: 'Oi', wait: 'number' }
  const other = { step: 3, kind: 'message', expected: waits, got: { text: 'Oi', wait: 'text' } } as const
  expect(acceptStep(SOURCE, other, 'words')).toBeUndefined()
  const extra = { step: 3, kind: 'extra', expected: null, got: [got, 'E outra'] } as const
  expect(stepsOf(acceptStep(SOURCE, extra, 'words'))).toHaveLength(5)
  expect(stepsOf(acceptStep(SOURCE, extra))).toHaveLength(6)
})
