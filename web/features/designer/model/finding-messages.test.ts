import { expect, test } from 'vitest'
import type { FlowModel } from '#domain/flow/document/model.ts'
import block from '#schemas/locales/en/block.json' with { type: 'json' }
import designer from '#schemas/locales/en/designer.json' with { type: 'json' }
import { checkMessage, findingMessage } from './finding-messages.ts'
import type { Translate } from './label.ts'

/** The English texts, looked up and filled in as the translator does it. */
const t: Translate = (key, values = {}) => {
  const flat: Readonly<Record<string, string>> = block
  const inner = key.startsWith('block:')
    ? flat[key.slice('block:'.length)]
    : key.split('.').reduce<unknown>((held, name) => (held as Record<string, unknown> | undefined)?.[name], designer)
  const text = typeof inner === 'string' ? inner : String(values.defaultValue ?? key)
  return text.replace(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''))
}

const flow = { nodes: new Map(), links: new Map() } as unknown as FlowModel

test('a form says what it refuses after "validation failed ::" [D-5.03]', () => {
  const message = checkMessage('required', 'productcard', 'sections.title', t)
  expect(t('inspector.invalid', { message })).toBe('validation failed :: Title is required')
})

test('the list of what is to check says the same', () => {
  const finding = {
    code: 'block.rule',
    severity: 'error',
    block: 'b',
    field: 'destination',
    check: 'required',
  } as const
  expect(findingMessage(finding, flow, t)).toBe('is not complete: Destination is required')
})
