import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from './durable-file.ts'

/**
 * The ids of the users who were forgotten, one a line, only ever added to. It lies beside the keys, not among them, so
 * that it outlives a restored backup of the keys, and opening them destroys again what came back with it.
 */
export class ForgottenList {
  private readonly file: string

  constructor(folder: string) {
    this.file = join(folder, 'forgotten.txt')
  }

  read(): Set<string> {
    if (!existsSync(this.file)) return new Set()
    return new Set(readFileSync(this.file, 'utf8').split('\n').filter(Boolean))
  }

  /** Durable when it returns. */
  add(users: readonly string[]): void {
    writeDurably(this.file, users.map(user => `\n${user}\n`).join(''), 'append')
  }
}
