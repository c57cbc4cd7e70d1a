import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HubName } from '#schemas/place.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Texts {
  readonly name: string
  readonly plural: string
  readonly menu?: string
  readonly message?: { readonly saved?: string }
  readonly field: Readonly<Record<string, { readonly option?: Readonly<Record<string, string>> }>>
}

/** English texts of an entity. */
export const textsOf = (entity: string): Texts =>
  JSON.parse(readFileSync(join(ROOT, 'schemas/locales/en/entity', `${entity}.json`), 'utf8'))

/** English names of the pages in the menu. */
export const HUB_NAME: Readonly<Record<HubName, string>> = JSON.parse(
  readFileSync(join(ROOT, 'schemas/locales/en/shell.json'), 'utf8'),
).menu
