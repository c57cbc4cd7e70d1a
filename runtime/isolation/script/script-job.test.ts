import { describe, expect, it } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { emptied, loadEngine, run as runAlone, runScript } from './script-job.ts'
import type { ScriptRun } from './script-run.ts'

/** ms that no script here needs, even on a busy computer. */
const LONG = 15_000

const engine = await loadEngine()
const run = (source: string, ...parameters: readonly Json[]): ScriptRun =>
  runScript(engine, { source, parameters, time: LONG })

describe('a script', () => {
  it('gives what its function makes of its parameters, and says what it writes', () => {
    const source = `function run(name, order) {
      console.log('order', order, undefined, 1)
      console.warn(order)
      return { name: name.toUpperCase(), first: order.items[0] }
    }`
    expect(run(source, 'ana', { items: [7] })).toEqual({
      value: { name: 'ANA', first: 7 },
      console: [
        { level: 'log', text: 'order {"items":[7]} undefined 1' },
        { level: 'warn', text: '{"items":[7]}' },
      ],
    })
    expect(run('const run = async a => (await Promise.resolve(a)) + 1', 1)).toEqual({ value: 2, console: [] })
    expect(run('1 + 1')).toEqual({ value: 2, console: [] })
    expect(run('function run() {}')).toEqual({ console: [] })
  })

  it('says what went wrong, and in which line', () => {
    const thrown = run('function run(a) {\n  const b = 1\n  return a.b.c\n}', {})
    expect(thrown.error).toMatchObject({ line: 3, message: expect.stringContaining('TypeError') })
    expect(run('let a = 1\nlet b = {{').error).toMatchObject({
      line: 2,
      message: expect.stringContaining('SyntaxError'),
    })
    expect(run('throw { code: 7 }').error).toEqual({ message: '{"code":7}' })
    expect(run('const a = {}; a.a = a; a').error).toMatchObject({
      message: expect.stringContaining('circular'),
    })
    expect(run('function run() { return new Promise(() => {}) }').error?.message).toContain('never settled')
  })

  it.each([
    ['a loop', 'while (true);', 'time'],
    ['a pattern', '/^(a+)+$/.test("a".repeat(40) + "b")', 'time'],
    ['a promise without end', 'const go = () => Promise.resolve().then(go); go()', 'time'],
    ['a getter of its result', '({ toJSON() { while (true); } })', 'time'],
    ['a text', '"x".repeat(2 ** 29)', 'memory'],
    ['a buffer', 'new Uint8Array(1e9)', 'memory'],
    ['calls without end', 'function f() { f() } f()', 'stack'],
  ])('ends in time and in its memory: %s', (_name, source, ended) => {
    const got = runScript(engine, { source, parameters: [], time: ended === 'time' ? 20 : LONG })
    expect(got.ended).toBe(ended)
    expect(got.value).toBeUndefined()
  })

  it('reaches nothing outside, and what it changes is its own', () => {
    const names =
      '["process", "require", "fetch", "globalThis.process", "XMLHttpRequest", "Worker", "std", "os", "WebAssembly"]'
    const reached = `${names}.filter(name => { try { return eval(name) !== undefined } catch { return false } })`
    expect(run(reached).value).toEqual([])
    const built = 'this.constructor.constructor("return typeof process")()'
    expect(run(built).value).toBe('undefined')
    expect(run('import("node:fs").then(fs => Object.keys(fs))').value).toBeUndefined()
    const spoiled = `JSON.parse = JSON.stringify = () => 'spoiled'
      Object.prototype.polluted = 1
      Array.prototype.map = () => 'spoiled'
      console.log = () => { throw 1 }
      function run(a) { return [a.x, a.__proto__ === Object.prototype] }`
    expect(run(spoiled, JSON.parse('{"x": 1, "__proto__": 2}')).value).toEqual([1, false])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(run('typeof polluted + JSON.stringify({})').value).toBe('undefined{}')
  })

  it('writes a hundred lines and no more, and returns no more than can be shown', () => {
    const lines = run('for (let i = 0; i < 1000; i++) console.log("x".repeat(5000))').console
    expect([lines.length, lines[0]?.text.length]).toEqual([100, 1000])
    expect(run('"x".repeat(600000)').error?.message).toContain('too large')
  })

  it('begins in memory that holds nothing of the script before, also of one that ran at the same time [P-2078]', async () => {
    const secret = 'segredo-'.repeat(40)
    const holds = ({ buffer }: WebAssembly.Memory) => Buffer.from(buffer).includes(secret)
    const source = 'function run(text) { return globalThis.all = text + text.length }'
    const one = await loadEngine()
    const memory = one.getWasmMemory()
    expect(runScript(one, { source, parameters: [secret], time: LONG }).value).toBe(`${secret}320`)
    expect(holds(memory)).toBe(true)
    expect(emptied(memory)).toBe(memory)
    expect(holds(memory)).toBe(false)
    const next = await loadEngine(memory)
    expect(runScript(next, { source: 'typeof all', parameters: [], time: LONG }).value).toBe('undefined')
    // A larger memory is not used again.
    runScript(next, { source: '"y".repeat(2e7).split("").length', parameters: [], time: LONG })
    expect(memory.buffer.byteLength).toBeGreaterThan(16_777_216)
    expect(emptied(memory).buffer.byteLength).toBe(16_777_216)

    const jobs = Array.from({ length: 4 }, (_, n) => ({
      source: `const before = globalThis.n; globalThis.n = ${n}; function run() { return [typeof before, n] }`,
      ...{ parameters: [], time: LONG },
    }))
    const values = (await Promise.all(jobs.map(runAlone))).map(({ value }) => value)
    expect(values).toEqual([0, 1, 2, 3].map(n => ['undefined', n]))
  })
})
