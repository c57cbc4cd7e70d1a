import { expect, test, vi } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode, setField } from '#domain/flow/document/edit.ts'
import { addItem } from '#domain/flow/document/item-edit.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow, readNode } from '#domain/flow/document/read-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { lintFlow } from '#domain/flow/lint/lint-flow.ts'
import { blockGroups } from '#web/features/designer/chrome/block-palette.tsx'
import { isShown } from '#web/features/designer/inspector/field-group.tsx'
import { categoryOf, iconOf } from '#web/features/designer/model/block-appearance.ts'
import { previewOf } from '#web/features/designer/model/preview.ts'

vi.mock('#schemas/blocks/registry.ts', async original => {
  const { raffle } = await import('./raffle.ts')
  const held = await original<typeof import('#schemas/blocks/registry.ts')>()
  return {
    blocks: { ...held.blocks, raffle },
    blockOf: (type: string) => (type === 'raffle' ? raffle : held.blockOf(type)),
  }
})

const t = (key: string, values?: Readonly<Record<string, unknown>>) => String(values?.defaultValue ?? key)

const drawn = () => {
  const doc = createFlow()
  addNode(doc, { id: 'r', type: 'raffle', title: '', x: 0, y: 0 }, 'me')
  return doc
}

const findingsOn = (doc: ReturnType<typeof drawn>) =>
  lintFlow(readFlow(doc), {}).filter(({ code }) => code === 'block.rule')

test('a block that is declared and registered has its defaults, outputs, lint, palette, preview and form', () => {
  const doc = drawn()

  expect(readNode(doc, 'r')).toMatchObject({
    known: true,
    properties: { kind: 'single', limit: 3, enableDelay: false },
  })
  expect(findingsOn(doc)).toMatchObject([{ severity: 'error', field: 'question', check: 'required' }])
  expect(blockGroups('raffle', t).map(({ category }) => category)).toEqual(['interaction'])
  expect([categoryOf('raffle'), iconOf('raffle')]).toEqual(['interaction', 'Dices'])

  setField(doc, 'r', ['question'], 'Quem leva?', 'me')
  addItem(doc, 'r', ['prizes'], { id: 'p1', members: { label: 'Caneca' } }, 'me')
  const node = readNode(doc, 'r')
  if (node === undefined) throw new Error('the block is gone')
  expect(findingsOn(doc)).toEqual([])
  expect(node.outputs.map(({ id }) => id)).toEqual(['p1', 'output_lost'])
  expect(previewOf(node, t).parts.map(({ text }) => text)).toEqual(['single · Quem leva?'])
  expect(isShown(node, 'limit')).toBe(false)
})

test('it leaves in a flow file and comes back as it was', () => {
  const doc = drawn()
  addItem(doc, 'r', ['prizes'], { id: 'p1', members: { label: 'Caneca' } }, 'me')
  const file = JSON.parse(JSON.stringify(exportFlow(doc)))

  const parsed = parseFlowFile(file)
  expect(parsed.ok && exportFlow(importFlow(parsed.file))).toEqual(file)
})
