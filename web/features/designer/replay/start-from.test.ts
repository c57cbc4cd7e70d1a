import { expect, test } from 'vitest'
import type { Replay } from '#web/features/conversation/index.ts'
import { startFrom } from './start-from.ts'

const step = (block: string, wrote: string[] = []) => ({
  frame: 1,
  dialog: 'd',
  block,
  type: 'prompt',
  out: 'output_1',
  ms: 0,
  wrote,
})
const kept = (name: string, scope: 'dialog' | 'conversation' | 'user', kind: string, masked = false) => ({
  name,
  scope,
  kind,
  masked,
})
const replayOf = (words: boolean): Replay => ({
  conversation: 'c',
  bot: 'b',
  release: 1,
  words,
  flows: [],
  agentsaid: [],
  desk: [],
  turns: [
    {
      turn: 1,
      time: '2026-11-20T12:00:00.000Z',
      release: 1,
      input: { kind: 'open', time: '2026-11-20T12:00:00.000Z', position: '', said: null },
      steps: [step('ask', ['cpf', 'nome', 'tries']), step('next', ['late'])],
      said: [],
      wrote: words ? { cpf: '••••••', nome: 'Eva', tries: 2, late: 1 } : {},
      kept: [
        kept('cpf', 'user', 'number', true),
        kept('nome', 'conversation', 'text'),
        kept('tries', 'dialog', 'number'),
        kept('late', 'conversation', 'number'),
      ],
      dropped: [],
      status: 'waiting',
      wait: null,
      problems: [],
      ended: null,
      failed: null,
    },
  ],
})

test('a test begins before the block of the moment, with what was held then; hidden values are examples of their kind [P-654]', () => {
  const checkedAs = ({ name }: { name: string }) => (name === 'cpf' ? 'CPF' : undefined)
  const place = { turn: 1, step: 2 }
  expect(startFrom(replayOf(true), place, checkedAs)).toMatchObject({
    block: 'next',
    values: { variables: { nome: 'Eva' }, user: { cpf: '52998224725' }, locals: { tries: 2 } },
    examples: ['cpf'],
  })
  expect(startFrom(replayOf(false), place, checkedAs)).toMatchObject({
    values: { variables: { nome: 'Ana' }, locals: { tries: 1 } },
    examples: ['cpf', 'nome', 'tries'],
  })
  expect(startFrom(replayOf(true), { turn: 1, step: 1 }, checkedAs)?.values.variables).toEqual({})
  expect(startFrom(replayOf(true), { turn: 9, step: 1 }, checkedAs)).toBeUndefined()
})
