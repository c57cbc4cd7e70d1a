import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WrongSetting } from '#schemas/settings.ts'
import { readGatewaySettings, readSettings } from './settings.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (content: string): string => {
  const file = join(mkdtempSync(join(folder, 'secret-')), 'file')
  writeFileSync(file, content)
  return file
}

describe('settings from files', () => {
  test('returns the content of <NAME>_FILE without its last line break [P-1560]', () => {
    const given = {
      PARLEY_KEY_FILE: fileOf('a key\n'),
      EVENTSTORE_URL_FILE: fileOf('esdb://user:pass@host:2113\r\n'),
      NATS_URL_FILE: fileOf('nats://host:4222'),
      STORAGE_URL_FILE: fileOf('s3://bucket\n'),
      AWS_SECRET_ACCESS_KEY_FILE: fileOf('secret\n\n'),
      PORT_FILE: fileOf('8080\n'),
      THEME: 'theme1',
      THEME_FILE: '',
    }
    expect(readGatewaySettings(given)).toMatchObject({
      PARLEY_KEY: 'a key',
      EVENTSTORE_URL: 'esdb://user:pass@host:2113',
      NATS_URL: 'nats://host:4222',
      STORAGE_URL: 's3://bucket',
      AWS_SECRET_ACCESS_KEY: 'secret\n',
      PORT: 8080,
      THEME: 'theme1',
    })
    expect(readSettings({ PARLEY_KEY: '', PARLEY_KEY_FILE: given.PARLEY_KEY_FILE }).PARLEY_KEY).toBe('a key')
  })

  test.each([
    ['both are given', { PARLEY_KEY: 'hidden', PARLEY_KEY_FILE: () => fileOf('hidden') }],
    ['the file does not exist', { PARLEY_KEY_FILE: () => join(folder, 'hidden') }],
    ['the file is a folder', { PARLEY_KEY_FILE: () => folder }],
    ['the file is empty', { PARLEY_KEY_FILE: () => fileOf('') }],
    ['the file is a line break', { PARLEY_KEY_FILE: () => fileOf('\n') }],
    ['the file is larger than 64 KiB', { PARLEY_KEY_FILE: () => fileOf('hidden'.repeat(11_000)) }],
    ['the value is wrong', { METABASE_SECRET_FILE: () => fileOf('hidden') }],
    ['the value has several lines', { NATS_URL_FILE: () => fileOf('nats://hidden\nnats://hidden') }],
  ])('throws one line with the name and not the value when %s [P-1560]', (_, given) => {
    const environment = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : value()]),
    )
    const read = () => readSettings(environment)
    expect(read).toThrow(WrongSetting)
    expect(read).toThrow(/^(PARLEY_KEY|METABASE_SECRET|NATS_URL)[^\n]+$/)
    expect(read).not.toThrow(/hidden/)
  })
})
