import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileFlow } from '#domain/conversation/compile-flow.ts'
import { Chance } from '#domain/conversation/fixture/random-talk.ts'
import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { linkedOutputs, Walk } from './walk.ts'

const TURNS = 15_000
const FLOWS = join(process.env.PARLEY_CORPUS ?? '', 'flows')

const compiled = (name: string) => {
  const parsed = parseFlowFile(JSON.parse(readFileSync(join(FLOWS, `${name}.flow.json`), 'utf8')))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return compileFlow('main', 1, readFlow(importFlow(parsed.file)))
}

// The corpus lies beside the project; in continuous integration it has to be there.
describe.skipIf(!existsSync(FLOWS) && process.env.CI === undefined)('a flow that people use', () => {
  test.each([
    ['event', 90],
    ['hotel-chain', 300],
    ['printer', 100],
  ])('%s is walked to every output that can be taken [R-26] [R-38]', async (name, least) => {
    const flow = compiled(name)
    const outputs = linkedOutputs(flow)
    expect(outputs.size).toBeGreaterThan(least)
    const release = { dialogs: new Map([['main', flow]]), handlers: new Map() }

    const walk = new Walk(flow, release, settingsWith(), new Chance(1))
    await walk.run(TURNS)

    expect([...outputs].filter(output => !walk.taken.has(output))).toEqual([])
  })
})
