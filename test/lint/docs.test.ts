import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsPage } from '../../scripts/settings-page.ts'

const PAGE = join(import.meta.dirname, '../../docs/settings.md')

test('docs/settings.md equals the page generated from the schema of settings', () => {
  expect(readFileSync(PAGE, 'utf8'), 'npm run docs writes it').toBe(settingsPage())
})
