import type { StoredEvent } from '#schemas/event.ts'
import {
  SESSION_PREFIX,
  sessionLevelChangedSchema,
  sessionStartedSchema,
  sessionViewSchema,
} from '#schemas/events/session.ts'
import type { StatementCache } from '../statement-cache.ts'
import type { AuditLog } from './audit-log.ts'
import type { LevelTree } from './level-tree.ts'

/**
 * Live sessions. The audit has one line for each thing that somebody did: a session starts with a sign-in and ends with
 * a sign-out, a lock, a new password …, which the user's own stream tells; the change of level is told here alone, and so is whom they
 * looked as: the line is about the person that was looked as.
 */
export class SessionRecord {
  readonly #statements: StatementCache
  readonly #levels: LevelTree
  readonly #audit: AuditLog

  constructor(statements: StatementCache, levels: LevelTree, audit: AuditLog) {
    this.#statements = statements
    this.#levels = levels
    this.#audit = audit
  }

  /** The session that was touched. */
  apply(event: StoredEvent): string | undefined {
    const id = event.stream.slice(SESSION_PREFIX.length)
    switch (event.type) {
      case 'SessionStarted': {
        const { user, level, expires } = sessionStartedSchema.parse(event.data)
        this.#statements.run('DELETE FROM session WHERE expires < ?', event.time)
        this.#statements.run(
          'INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, NULL)',
          id,
          user,
          level,
          event.time,
          expires,
        )
        return id
      }
      case 'SessionLevelChanged': {
        const { user, level } = sessionLevelChangedSchema.parse(event.data)
        this.#statements.run('UPDATE session SET level = ? WHERE id = ?', level, id)
        this.#told(event, user, 'levelchanged')
        return id
      }
      case 'SessionViewStarted': {
        const { as } = sessionViewSchema.parse(event.data)
        this.#statements.run('UPDATE session SET seenas = ? WHERE id = ?', as, id)
        this.#told(event, as, 'viewstarted')
        return id
      }
      case 'SessionViewEnded': {
        const { as } = sessionViewSchema.parse(event.data)
        this.#statements.run('UPDATE session SET seenas = NULL WHERE id = ?', id)
        this.#told(event, as, 'viewended')
        return id
      }
      case 'SessionEnded':
        this.#statements.run('DELETE FROM session WHERE id = ?', id)
        return id
      default:
        return undefined
    }
  }

  #told(event: StoredEvent, user: string, action: string): void {
    const { time, type, actor, revision } = event
    const level = this.#audit.levelOf('user', user) ?? this.#levels.key(event.level)
    this.#audit.add({ time, entity: 'session', id: user, type, action, level, actor, revision, changes: [] })
  }
}
