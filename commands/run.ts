import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Author } from './author.ts'
import type { Owner } from './name/reservation.ts'
import type { Command } from './port.ts'

/** One command on its way, kept over all its attempts. */
export interface Run {
  readonly command: Command
  readonly entity: EntityDeclaration
  readonly author: Author
  /** Names reserved so far and not yet confirmed: given back when the command is refused. */
  readonly reserved: Map<string, Owner>
  /** The author's seed is random and nothing has been tried with it yet: no stream can have an id that comes from it. */
  readonly untouched?: boolean
}
