import type { Json } from '#schemas/event.ts'

/** A script, and the parameters of its function `run`. */
export interface ScriptJob {
  readonly source: string
  readonly parameters: readonly Json[]
  /** Time limit in ms. */
  readonly time: number
}

export interface ConsoleLine {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
}

export interface ScriptError {
  /** Text of the engine. */
  readonly message: string
  /** From 1; absent if the engine names no place in the script. */
  readonly line?: number
  readonly column?: number
}

/** Result of a script. `ended`: it was stopped, or needed more than its limits. */
export interface ScriptRun {
  /** Absent for undefined and after an error. */
  readonly value?: Json
  readonly console: readonly ConsoleLine[]
  readonly error?: ScriptError
  readonly ended?: 'time' | 'memory' | 'stack' | 'busy'
}

export interface TimedRun extends ScriptRun {
  /** ms that the script itself took. */
  readonly time: number
}

/** Limits of one script. */
export const SCRIPT_LIMITS = {
  /** ms */
  time: 1000,
  /** ms of a handler that is declared slow. */
  slowTime: 10_000,
  /** Bytes. */
  memory: 32 * 1024 * 1024,
  stack: 256 * 1024,
  /** Characters of the source, and of a result as JSON. */
  source: 200_000,
  result: 500_000,
  /** Lines on the console, and characters of each. */
  lines: 100,
  line: 1000,
} as const
