import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../docs/adr')
const INDEX = readFileSync(join(FOLDER, 'README.md'), 'utf8')
const RECORDS = globSync('[0-9]*.md', { cwd: FOLDER }).sort()

/** A status without the addresses of its links. */
const plain = (text: string): string => text.replace(/\[(\d+)\]\([^)]*\)/gu, '$1')

describe('architecture decision records', () => {
  test.each(RECORDS)('%s has a status, a date, alternatives and its row in the index', file => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const [, number, title] = /^# (\d+)\. (.+)\n\n/u.exec(text) ?? []
    expect(file.startsWith(String(number).padStart(4, '0'))).toBe(true)
    const [, status] = /^- Status: (.+)$/mu.exec(text) ?? []
    expect(status).toMatch(/^(accepted \(\d{4}-\d{2}\)|superseded by )/u)
    const [, date] = /^- Date: (\d{4}-\d{2}-\d{2})$/mu.exec(text) ?? []
    expect(text).toMatch(/\n## Alternatives considered\n- /u)
    expect(INDEX).toContain(`| [${file.slice(0, 4)}](${file}) | ${title} | ${plain(status ?? '')} | ${date} |`)
  })
})
