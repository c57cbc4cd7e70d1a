import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import type { Json } from '#schemas/event.ts'
import { workingTime } from '../work.ts'
import {
  type ConsoleLine,
  SCRIPT_LIMITS,
  type ScriptError,
  type ScriptJob,
  type ScriptRun,
  type TimedRun,
} from './script-run.ts'

const { resolve } = createRequire(new URL('../../../package.json', import.meta.url))
/** The code alone, without memory. Compiled once: it takes three times as long as an instance of it. */
const wasmModule = WebAssembly.compile(readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))

/** Pages of 64 KiB with which the engine begins, and may have. */
const PAGES = { initial: 256, maximum: 32_768 } as const
const PAGE = 65_536

const newMemory = () => new WebAssembly.Memory(PAGES)

/** Memory of the next instance: that of the one before, which ends, without its content. A script may have made it larger. */
export const emptied = (memory: WebAssembly.Memory): WebAssembly.Memory => {
  if (memory.buffer.byteLength > PAGES.initial * PAGE) return newMemory()
  new Uint8Array(memory.buffer).fill(0)
  return memory
}

/** A new instance of the engine in empty memory. */
export const loadEngine = async (wasmMemory = newMemory()): Promise<QuickJSWASMModule> =>
  newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: await wasmModule, wasmMemory }))

const FILE = 'handler.js'
/** Works for any kind of declaration. */
const RUN = "typeof run === 'function' ? run : undefined"
const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** A value thrown by the script, as the engine describes it. */
class Thrown extends Error {
  readonly what: unknown
  constructor(what: unknown) {
    super('thrown')
    this.what = what
  }
}

/** A separate world in the engine, with the original JSON object, which the script cannot change. */
class World {
  readonly context: QuickJSContext
  readonly console: ConsoleLine[] = []
  readonly #json: QuickJSHandle
  readonly #parse: QuickJSHandle
  readonly #stringify: QuickJSHandle

  constructor(context: QuickJSContext) {
    this.context = context
    this.#json = context.getProp(context.global, 'JSON')
    this.#parse = context.getProp(this.#json, 'parse')
    this.#stringify = context.getProp(this.#json, 'stringify')
    this.#addConsole()
  }

  evaluate(source: string): QuickJSHandle {
    return this.#unwrap(this.context.evalCode(source, FILE))
  }

  call(handle: QuickJSHandle, parameters: readonly Json[]): QuickJSHandle {
    const given = parameters.map(value => this.#given(value))
    const result = this.context.callFunction(handle, this.context.undefined, ...given)
    for (const value of given) value.dispose()
    return this.#unwrap(result)
  }

  /** The value of a promise that needs no external event; any other value unchanged. */
  settled(handle: QuickJSHandle): QuickJSHandle {
    const jobs = this.context.runtime.executePendingJobs()
    if (jobs.error) throw this.#thrown(jobs.error)
    const state = this.context.getPromiseState(handle)
    if (state.type === 'fulfilled') return state.notAPromise === true ? handle : state.value
    if (state.type === 'rejected') throw this.#thrown(state.error)
    throw new Thrown('a promise that is never settled')
  }

  /** JSON of a value; undefined for values that JSON cannot express. */
  text(handle: QuickJSHandle): string | undefined {
    const { context } = this
    const made = this.#unwrap(context.callFunction(this.#stringify, this.#json, handle))
    const text = context.typeof(made) === 'string' ? context.getString(made) : undefined
    made.dispose()
    return text
  }

  #given(value: Json): QuickJSHandle {
    const text = this.context.newString(JSON.stringify(value))
    const made = this.#unwrap(this.context.callFunction(this.#parse, this.#json, text))
    text.dispose()
    return made
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error) throw this.#thrown(result.error)
    return result.value
  }

  #thrown(error: QuickJSHandle): Thrown {
    const what: unknown = this.context.dump(error)
    error.dispose()
    return new Thrown(what)
  }

  #addConsole(): void {
    const { context, console } = this
    const target = context.newObject()
    for (const level of LEVELS) {
      const write = context.newFunction(level, (...said) => {
        if (console.length >= SCRIPT_LIMITS.lines) return
        const text = said.map(each => this.#said(each)).join(' ')
        console.push({ level, text: text.slice(0, SCRIPT_LIMITS.line) })
      })
      context.setProp(target, level, write)
      write.dispose()
    }
    context.setProp(context.global, 'console', target)
    target.dispose()
  }

  #said(handle: QuickJSHandle): string {
    if (this.context.typeof(handle) === 'string') return this.context.getString(handle)
    try {
      return this.text(handle) ?? this.context.typeof(handle)
    } catch {
      return this.context.typeof(handle)
    }
  }
}

/** Text of a thrown value, and the first place in the script that the engine names. */
const errorOf = (what: unknown): ScriptError => {
  const { name, message, stack } = (typeof what === 'object' && what !== null ? what : {}) as Record<string, unknown>
  const place = /handler\.js:(\d+)(?::(\d+))?/.exec(String(stack ?? ''))
  const said = typeof message === 'string' ? `${String(name ?? 'Error')}: ${message}` : words(what)
  return {
    message: said.slice(0, SCRIPT_LIMITS.line),
    ...(place === null
      ? {}
      : { line: Number(place[1]), ...(place[2] === undefined ? {} : { column: Number(place[2]) }) }),
  }
}

const words = (what: unknown): string => (typeof what === 'string' ? what : (JSON.stringify(what) ?? String(what)))

const endedBy = ({ message }: ScriptError): ScriptRun['ended'] => {
  if (message === 'InternalError: out of memory') return 'memory'
  return /^(InternalError: stack overflow|RangeError: Maximum call stack)/.test(message) ? 'stack' : undefined
}

/**
 * Runs a script in a separate engine that reaches only its given data: the function `run` with the parameters or,
 * without such a function, the value of the script. It may run long after its time in a native function: callers must
 * be able to end the thread, which also frees the memory that is not freed here.
 */
export const runScript = (engine: QuickJSWASMModule, { source, parameters, time }: ScriptJob): ScriptRun => {
  const runtime = engine.newRuntime()
  const worked = workingTime()
  let isLate = false
  runtime.setMemoryLimit(SCRIPT_LIMITS.memory)
  runtime.setMaxStackSize(SCRIPT_LIMITS.stack)
  runtime.setInterruptHandler(() => {
    isLate ||= worked() > time
    return isLate
  })
  const world = new World(runtime.newContext())
  const { console } = world
  try {
    const own = world.evaluate(source)
    const run = world.evaluate(RUN)
    const made = world.context.typeof(run) === 'function' ? world.call(run, parameters) : own
    const text = world.text(world.settled(made))
    if (text === undefined) return { console }
    if (text.length > SCRIPT_LIMITS.result) return { console, error: { message: 'RangeError: result too large' } }
    return { console, value: JSON.parse(text) as Json }
  } catch (error) {
    if (isLate) return { console, ended: 'time' }
    const said = errorOf(error instanceof Thrown ? error.what : String(error))
    const ended = endedBy(said)
    return { console, error: said, ...(ended === undefined ? {} : { ended }) }
  }
}

/** One for all: of 16 MB for each script, V8 would collect all garbage every few scripts. */
let memory = newMemory()
let engine = loadEngine(memory)
const nextEngine = () => {
  memory = emptied(memory)
  return loadEngine(memory)
}

export const warm = () => engine

/** Each script has its own engine instance, one after the other: nothing of a script reaches the next one. */
export const run = (job: ScriptJob): Promise<TimedRun> => {
  const done = engine.then(ready => {
    const worked = workingTime()
    const outcome = runScript(ready, job)
    return { ...outcome, time: Math.round(worked()) }
  })
  engine = done.then(nextEngine, nextEngine)
  return done
}
