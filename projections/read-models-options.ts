import type { EventStore } from '#commands/store/port.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import type { DecryptPersonal } from './read-event.ts'

export interface ReadModelsOptions {
  readonly store: EventStore
  /** Folder of the read model files; one per node. */
  readonly folder: string
  /** Decrypts personal values of users; without it they stay as in the events. */
  readonly decryptPersonal?: DecryptPersonal
  /** Lifts an event to the newest known shape; throws when it is of a newer one. */
  readonly upcast?: (event: StoredEvent) => StoredEvent
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
  readonly allowLevel1DefaultAccess?: boolean
  /** Default 2. */
  readonly queryWorkers?: number
  /** One line for the operator: rebuilt, damaged, stopped. */
  readonly log?: (line: string) => void
}
