import type { CompiledBlock, Release } from '#domain/conversation/release.ts'
import { isObject } from '#domain/flow/document/json.ts'

/** Examples used in place of hidden answers, by the check of the question. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Email: 'ana@example.com',
  MobilePhone: '+55 11 98765-4321',
  URL: 'https://example.com/',
  Alpha: 'exemplo',
  AlphaNumeric: 'exemplo1',
}

export const MASKED_EXAMPLE = 'exemplo'

export const exampleFor = (block: CompiledBlock | undefined): string => {
  const data = block?.properties.data
  const type = isObject(data) && typeof data.validationType === 'string' ? data.validationType : ''
  return EXAMPLES[type] ?? MASKED_EXAMPLE
}

export const blockIn = ({ dialogs }: Release, block: string | null): CompiledBlock | undefined =>
  [...dialogs.values()].map(({ blocks }) => blocks.get(block ?? '')).find(found => found !== undefined)
