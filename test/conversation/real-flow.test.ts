import { describe, expect, test } from 'vitest'
import { Chance } from '#domain/conversation/fixture/random-talk.ts'
import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import { isFull } from '#test/fixture/full.ts'
import { outputsOf } from '#test/walk/linked-outputs.ts'
import { compiledFile, FLOWS, realFlow } from '#test/walk/real-flow.ts'
import { Walk } from './walk.ts'

const TURNS = 15_000
describe('a flow that people use', () => {
  test.each(FLOWS)('$name is walked to every output that can be taken [R-26] [R-38]', async ({ name, reachable }) => {
    const flow = compiledFile('main', realFlow(name, 'https://desk.example'))
    const outputs = outputsOf(flow).reachable
    expect(outputs.size).toBe(reachable)
    const release = { dialogs: new Map([['main', flow]]), handlers: new Map() }

    const walk = new Walk(flow, release, settingsWith(), new Chance(1))
    await walk.run(TURNS, isFull ? undefined : outputs)

    expect([...outputs].filter(output => !walk.taken.has(output))).toEqual([])
  })
})
