import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Rows of both tables: number, behaviour, files. */
const ROWS = readFileSync(join(ROOT, 'test/SPEC.md'), 'utf8')
  .split('\n')
  .map(line => /^\| ([A-Z]-[\w.]+) \| (.+) \| (.+) \|$/.exec(line))
  .flatMap(row =>
    row === null
      ? []
      : [{ id: row[1] ?? '', files: [...(row[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '') }],
  )

describe('test/SPEC.md', () => {
  test('numbers every behaviour once', () => {
    const ids = ROWS.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(50)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(ROWS)('$id is shown where it says', ({ id, files }) => {
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      // Requirements are cited by the tests' titles.
      if (!id.startsWith('P-')) expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(`[${id}]`)
    }
  })
})
