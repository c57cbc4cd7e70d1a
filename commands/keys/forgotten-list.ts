import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../store/embedded/sqlite-file.ts'

/**
 * Ids of forgotten users, one a line, append-only. Stored beside the keys, not among them: it survives a restored
 * backup of the keys, and opening them destroys the restored keys of these users.
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
