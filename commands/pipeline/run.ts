import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Owner } from '../name/reservation.ts'
import type { Command } from '../port.ts'
import type { Author } from './author.ts'

/** One command on its way, kept over all its attempts. */
export interface Run {
  readonly command: Command
  readonly entity: EntityDeclaration
  readonly author: Author
  /** Names reserved so far and not yet confirmed: given back in the end. */
  readonly reserved: Map<string, Owner>
  /** Something of it may have been written: by an earlier attempt, or by another node that carries it out. */
  readonly isRepeated: boolean
}
