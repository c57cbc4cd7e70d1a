import type { ParseArgsOptionsConfig } from 'node:util'
import type { Settings } from '#schemas/settings.ts'

/** The words after the command were wrong. The message is the line to print before the usage. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/**
 * 0 done and all is well, 1 something was found or failed, 2 not understood, 3 changes wait for `--yes`, 4 the server has
 * newer changes.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4

export interface CommandInput {
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Options by name; only those that were given. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** Positional arguments; exactly as many as `operands` names. */
  readonly operands: readonly string[]
}

/** @throws with one line to print */
export type Run = (given: CommandInput) => Promise<ExitCode>

/** Description of one CLI command; its implementation is loaded on use. */
export interface Command {
  /** As typed, e.g. `user reset-admin`. */
  readonly name: string
  /** Names of what must follow it. */
  readonly operands: readonly string[]
  readonly options: ParseArgsOptionsConfig
  readonly summary: string
  /** Further lines of its help, below the summary. */
  readonly help: string
  load(): Promise<Run>
}
