import { expect, test } from 'vitest'
import type { VersionFile } from '#schemas/version-file.ts'
import { readVersionFile, versionExcess } from './version-job.ts'

const flow = (text: string) => ({
  format: 'parley-flow',
  version: 1,
  operators: { a: { type: 'restservice', title: '', top: 0, left: 0, properties: { input: text } } },
  links: {},
})
const version = (text: string) =>
  ({
    dialogtasks: [{ dialogs: [{ flow: flow(text) }], handlers: [{ flow: flow(''), js: text }] }],
  }) as unknown as VersionFile

test('names the texts of a stored version that are larger than a flow may hold [P-76]', () => {
  expect(versionExcess(version('a'.repeat(4_000_000)))).toEqual([])
  expect(versionExcess(version('a'.repeat(4_000_001)))).toMatchObject([
    { path: 'dialogtasks.0.dialogs.0.flow.operators.a.properties.input', code: 'toolong' },
    { path: 'dialogtasks.0.handlers.0.js', code: 'toolong' },
  ])
})

test('reads the old name of a variable’s scope as the present one', () => {
  const old = { format: 'parley-version', version: 1, name: '1.0', bot: { name: 'Loja' }, dialogtasks: [] }
  const read = readVersionFile(Buffer.from(JSON.stringify({ ...old, variables: [{ name: 'cpf', scope: 'userdata' }] })))
  expect(read.ok && JSON.parse(read.value.text).variables).toEqual([{ name: 'cpf', scope: 'user' }])
})
