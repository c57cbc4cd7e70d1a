import { expect, test } from 'vitest'
import { readTestFile } from '../read-test-file.ts'
import { readImport } from './read-import.ts'

const stepsOf = (file: string | undefined) => {
  const read = readTestFile(file ?? '')
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return read.file.steps.map(({ kind, value }) => ({ [kind]: value }))
}

const STORIES = `version: "3.1"
stories:
- story: second copy
  steps:
  - user: |
      quero a conta de [maio](month)
    intent: bill
  - action: utter_which
  - intent: affirm
    entities:
      - street: Rua A
  - slot_was_set:
      - month: maio
  - action: action_listen
- story: only actions
  steps:
  - action: utter_greet
rules:
- rule: bye
  steps:
  - user: tchau
  - bot: Até logo
  - checkpoint: end
`

test('converts Rasa stories to tests: words and intents to steps, actions to comments, the rest reported by line [P-901]', () => {
  const { tests, faults } = readImport(STORIES, 'stories.yml', 'Bia')
  expect(tests.map(({ name }) => name)).toEqual(['second copy', 'bye'])
  const [first, second] = tests
  expect(stepsOf(first?.file)).toEqual([{ user: 'quero a conta de maio' }, { user: '/affirm' }])
  const read = readTestFile(first?.file ?? '')
  expect(read).toMatchObject({
    ok: true,
    file: {
      loose: true,
      stubs: [
        { nlu: 'quero a conta de maio', intent: 'bill', entities: { month: 'maio' } },
        { nlu: '/affirm', intent: 'affirm', entities: { street: 'Rua A' } },
      ],
    },
  })
  expect(first?.file).toContain('# action: utter_which')
  expect(stepsOf(second?.file)).toEqual([{ user: 'tchau' }, { bot: 'Até logo' }])
  expect(faults.map(({ line, code }) => `${line} ${code}`)).toEqual(['12 slot', '15 empty', '23 checkpoint'])
})

test('converts a transcript to a test, infers either speaker, and splits several conversations [P-902]', () => {
  const { tests, faults } = readImport(
    '10:02 Ana: oi\n10:02 Bia: Olá!\nComo vai?\n\n# Adeus\nAna: tchau\nBia: Até logo\natendente: alô\n',
    'fala.txt',
    'Bia',
  )
  expect(tests.map(({ name }) => name)).toEqual(['fala', 'Adeus'])
  expect(stepsOf(tests[0]?.file)).toEqual([{ user: 'oi' }, { bot: 'Olá!\nComo vai?' }])
  expect(stepsOf(tests[1]?.file)).toEqual([{ user: 'tchau' }, { bot: 'Até logo' }])
  expect(faults).toEqual([{ line: 8, code: 'agent', text: 'atendente' }])
})

test('a table and the activities of Bot Framework are transcripts as well [P-902]', () => {
  const table = readImport('conversa;quem;texto\n1;cliente;"oi; tudo bem?"\n1;bot;Olá\n2;cliente;tchau\n', 'a.csv', '')
  expect(table.tests.map(({ name }) => name)).toEqual(['a 1', 'a 2'])
  expect(stepsOf(table.tests[0]?.file)).toEqual([{ user: 'oi; tudo bem?' }, { bot: 'Olá' }])
  expect(readImport('a;b\n1;2\n', 'a.csv', '')).toEqual({
    tests: [],
    faults: [{ line: 1, code: 'columns', text: 'a, b' }],
  })
  const activities = [
    { type: 'conversationUpdate' },
    { type: 'message', from: { role: 'user', id: '1' }, text: 'oi' },
    { type: 'message', from: { role: 'bot', id: '2' }, text: 'Olá' },
    { type: 'message', from: { role: 'bot', id: '2' }, attachments: [] },
  ]
  const emulated = readImport(JSON.stringify(activities), 'talk.transcript', '')
  expect(stepsOf(emulated.tests[0]?.file)).toEqual([{ user: 'oi' }, { bot: 'Olá' }])
  expect(emulated.faults).toEqual([{ line: 4, code: 'activity', text: 'message' }])
})

test('reports files without a conversation and creates no test [P-902]', () => {
  expect(readImport('stories: [', 's.yml', '')).toMatchObject({ tests: [], faults: [{ code: 'syntax' }] })
  expect(readImport('stories: []\n', 's.yml', '')).toMatchObject({ tests: [], faults: [{ line: 1, code: 'empty' }] })
  expect(readImport('bot: Olá\n', 't.txt', '')).toMatchObject({ tests: [], faults: [{ line: 1, code: 'nobody' }] })
  expect(readImport('Ana: oi\nBeto: oi\n', 't.txt', '').faults.map(({ code }) => code)).toContain('speaker')
  expect(readImport('\n \n', 't.txt', '')).toMatchObject({ tests: [], faults: [{ code: 'empty' }] })
})
