import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { jsonEqual } from '#schemas/json.ts'
import { corpus, corpusJson } from '#test/fixture/corpus.ts'
import { applyChecked } from '../document/apply-checked.ts'
import { createFlow, openFlow } from '../document/document.ts'
import { importFlow, patchFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { FLOW_LIMITS } from '../document/violation.ts'
import { lintFlow } from '../lint/lint-flow.ts'
import { exportFlow } from './export-flow.ts'
import { parseFlowFile } from './parse-flow-file.ts'

const files = (folder: string): readonly string[] =>
  readdirSync(corpus(folder))
    .filter(name => name !== 'expected.json')
    .map(name => corpus(folder, name))

const load = (path: string) => {
  const parsed = parseFlowFile(JSON.parse(readFileSync(path, 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed
}

describe('flow files of others', () => {
  it.each([...files('flows'), ...files('flowchart')])('%s comes out as it went in, and again changes nothing', path => {
    const { file } = load(path)
    const doc = importFlow(file)
    const replica = createFlow()
    const sent = applyChecked(replica, Y.encodeStateAsUpdate(doc), FLOW_LIMITS, 'client')
    const exported = exportFlow(replica)
    let updates = 0
    replica.on('update', () => {
      updates += 1
    })
    patchFlow(replica, file, 'again')

    expect(sent).toMatchObject({ ok: true, changed: true, pending: false })
    expect(updates).toBe(0)
    for (const [id, operator] of Object.entries(file.operators)) {
      expect(jsonEqual(JSON.parse(JSON.stringify(operator)), JSON.parse(JSON.stringify(exported.operators[id])))).toBe(
        true,
      )
    }
    const links = (of: typeof file) => Object.values(of.links).map(link => JSON.stringify(Object.entries(link).sort()))
    expect(links(exported).sort()).toEqual(links(file).sort())
  })

  it.each(files('flows'))('%s is read by the declarations without rest', path => {
    const model = readFlow(importFlow(load(path).file))

    for (const node of model.nodes.values()) expect(node).toMatchObject({ known: true, unknown: [], unreadable: [] })
    const codes = new Set(lintFlow(model, {}).map(finding => finding.code))
    expect([...codes].sort()).toEqual(expect.arrayContaining(['block.answer']))
    expect([...codes]).not.toContain('link.connector')
  })

  it('documents of older Yjs versions load', () => {
    interface OldDocument {
      readonly updateBase64: string
      readonly accessor: 'getArray' | 'getMap'
      readonly name: string
      readonly expected: unknown
    }
    const cases = corpusJson<readonly OldDocument[]>('yjs/compat-v13.json')
    expect(cases).not.toEqual([])
    for (const { updateBase64, accessor, name, expected } of cases) {
      const doc = openFlow(new Y.Doc())
      Y.applyUpdate(doc, Buffer.from(updateBase64, 'base64'))
      expect(doc[accessor](name).toJSON()).toEqual(expected)
      expect(readFlow(doc).nodes.size).toBe(0)
    }
  })
})
