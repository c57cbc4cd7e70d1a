import { expect, test } from 'vitest'
import { cloudFileBehaviour, fileAddress } from './cloud-file.ts'

const context = { time: '2026-11-21T12:00:00.000Z', actor: 'ana', facts: { level: 'sul' } }

test.each([
  ['Relatório de março.pdf', 'Relatório de março.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\foto.png', 'foto.png'],
  ['.htaccess', 'htaccess'],
  ['a"b<c>?d#e%f.csv', 'a-b-c-d-e-f.csv'],
  ['\u202Egnp.exe', 'gnp.exe'],
  ['...', ''],
  ['\uD800', '\uFFFD'.replace(/[^\p{L}]/gu, '')],
  [`${'x'.repeat(200)}.png`, `${'x'.repeat(146)}.png`],
])('a name is cleaned for an address: %j [P-320]', (given, name) => {
  const created = cloudFileBehaviour.onCreate({ name: given }, context)
  expect(created.ok ? created.value.name : '').toBe(name)
})

test('an address is percent-encoded part by part [P-320]', () => {
  expect(fileAddress('sul', 'em março.pdf')).toBe('sul/em%20mar%C3%A7o.pdf')
})
