// `npm run docs`: writes the pages of docs/ that are generated from the code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from './settings-page.ts'

writeFileSync(join(import.meta.dirname, '..', 'docs', 'settings.md'), settingsPage())
