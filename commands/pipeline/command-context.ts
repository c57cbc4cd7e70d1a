import type { Lookup } from '#domain/lookup.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Files } from '../file/port.ts'
import type { FlowLog } from '../flow/flow-log.ts'
import type { Keys } from '../keys/secret.ts'
import type { Reservation } from '../name/reservation.ts'
import type { Processes } from '../process/port.ts'
import type { EventStore } from '../store/port.ts'
import type { Loader } from './load.ts'

/** What every command works with. */
export interface Tools {
  readonly store: EventStore
  readonly keys: Keys
  readonly files: Files
  readonly lookup: Lookup
  readonly loader: Loader
  readonly flows: FlowLog
  readonly reservation: Reservation
  readonly processes: Processes
  readonly entities: Readonly<Record<string, EntityDeclaration>>
  readonly entityOf: (name: string) => EntityDeclaration | undefined
  readonly now: () => Date
}
