import { ENTITIES } from '#schemas/entities/registry.ts'
import { isFull } from '#test/fixture/full.ts'
import type { Answer } from '../api/harness.ts'
import { type Asked, blanked, idIn, kindNamed, membersOf, saidAt, send, type Target, UNKNOWN } from './ask.ts'
import { type Description, isWrite, type Operation } from './operation.ts'
import { entityOf, permissionOf } from './permission.ts'
import type { Attacker, PlaceName, World } from './world.ts'

const CONCURRENT = 8

/** Returns the fault of an answer, or undefined. */
export type Judge = (asked: Asked, answer: Answer) => Promise<string | undefined> | string | undefined

const OUTSIDE: Partial<Record<PlaceName, readonly PlaceName[]>> = {
  own: ['sibling', 'cousin', 'root', 'removed'],
  sibling: ['own', 'child', 'root', 'removed'],
}
/** Given below their own level, though not opened there. */
const GIVEN_BELOW = new Set(['role', 'usergroup'])
/** A level names the one above it. */
const KNOWN_BELOW = new Set([...GIVEN_BELOW, 'hierarchy'])

/** Everybody, everything that can be asked, and everything that can be named. */
export class Matrix {
  readonly world: World
  readonly operations: readonly Operation[]
  readonly #description: Description
  readonly #unknown = new Map<string, Promise<string>>()
  /** Combinations tried so far. */
  tried = 0

  constructor(world: World, description: Description, operations: readonly Operation[]) {
    this.world = world
    this.operations = operations
    this.#description = description
  }

  get withoutSession(): readonly Attacker[] {
    return this.world.attackers.filter(({ permissions }) => permissions === null)
  }

  get inSession(): readonly Attacker[] {
    return this.world.attackers.filter(({ permissions }) => permissions !== null)
  }

  /** Users who do not see all levels. */
  get below(): readonly Attacker[] {
    return this.inSession.filter(({ home }) => home !== 'root')
  }

  /** Operations that a user's permissions allow. */
  permitted({ permissions }: Attacker, which: (operation: Operation) => boolean): readonly Operation[] {
    return this.operations.filter(operation => {
      const permission = permissionOf(operation)
      return !operation.open && which(operation) && (permission === undefined || permissions?.has(permission) === true)
    })
  }

  forbidden({ permissions }: Attacker): readonly Operation[] {
    return this.operations.filter(operation => {
      const permission = permissionOf(operation)
      return !operation.open && permission !== undefined && permissions?.has(permission) !== true
    })
  }

  /** An operation on the things outside of a person's levels that its path can name. */
  outside(attacker: Attacker, operation: Operation): readonly Asked[] {
    const entity = entityOf(operation)
    if (entity === undefined || ENTITIES[entity].parent === 'none') return []
    return (
      (OUTSIDE[attacker.home] ?? [])
        // A removed level and its former contents are visible from above.
        .filter(
          target => target !== 'removed' || (entity !== 'hierarchy' && (isWrite(operation) || attacker.home !== 'own')),
        )
        .slice(0, isFull || attacker.name === 'administrator' ? undefined : 1)
        .map(target => ({ attacker, operation, target }))
    )
  }

  /** An operation with each of its members that names a thing naming one outside of a person's levels. */
  tied(attacker: Attacker, operation: Operation): readonly Asked[] {
    const [, first = ''] = operation.path.split('/')
    return membersOf(this.#description, operation).flatMap(member =>
      (OUTSIDE[attacker.home] ?? [])
        .filter(tied => tied !== 'root' || !GIVEN_BELOW.has(kindNamed(first, member) ?? ''))
        // Authors from above are visible, and so is a removed level to users above it.
        .filter(tied => isWrite(operation) || (tied !== 'root' && tied !== 'removed'))
        .slice(0, isFull ? undefined : 1)
        .map(tied => ({ attacker, operation, target: attacker.home, member, tied })),
    )
  }

  /** Asks all of it, a few at once, and answers what was wrong with what came back. */
  async faults(asked: readonly Asked[], judge: Judge): Promise<readonly string[]> {
    const faults: string[] = []
    const waiting = asked.values()
    const worker = async () => {
      for (const one of waiting) {
        this.tried += 1
        const fault = await judge(one, await send(this.world, this.#description, one))
        const { attacker, operation, target, member = '', tied = '' } = one
        const question = `${attacker.name}: ${operation.method} ${operation.path} ${target} ${member} ${tied}`
        if (fault !== undefined) faults.push(`${question}: ${fault.slice(0, 300)}`)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, worker))
    return faults.slice(0, 50)
  }

  /** The answer is that to the same question about what never was, and tells nothing. */
  readonly asIfItNeverWas: Judge = async (asked, answer) => {
    const { attacker, operation, target, member, tied = 'unknown' } = asked
    const [, first = ''] = operation.path.split('/')
    const sent =
      member === undefined
        ? idIn(this.world, target, entityOf(operation) ?? '')
        : saidAt(this.world, first, member, tied)
    const never: Asked =
      member === undefined ? { ...asked, target: 'unknown' } : { ...asked, tied: 'unknown' as Target }
    const one = blanked(answer, sent)
    const other = await this.#answerToUnknown(never)
    return one === other ? this.leak(attacker, one) : `${one.slice(0, 140)} and not ${other.slice(0, 140)}`
  }

  /** A question about an unknown thing is asked once: its answer does not depend on other questions. */
  #answerToUnknown(never: Asked): Promise<string> {
    const { attacker, operation, target, member = '' } = never
    const question = [attacker.name, operation.method, operation.path, target, member].join(' ')
    const known =
      this.#unknown.get(question) ?? send(this.world, this.#description, never).then(answer => blanked(answer, UNKNOWN))
    this.#unknown.set(question, known)
    return known
  }

  /** Finds text that reveals a place hidden from this user. */
  leak({ sees }: Attacker, text: string): string | undefined {
    const lower = text.toLowerCase()
    const hidden = (Object.keys(this.world.places) as PlaceName[])
      .filter(place => place !== 'removed' && !sees.includes(place))
      .flatMap(place => this.#secretsOf(place))
    const found = hidden.find(secret => lower.includes(secret))
    if (found === undefined) return undefined
    return `tells of ${found}: …${lower.slice(Math.max(0, lower.indexOf(found) - 120), lower.indexOf(found) + 80)}`
  }

  /** The id of what the whole installation has one of is its name. */
  #secretsOf(place: PlaceName): readonly string[] {
    const { mark, ids } = this.world.places[place]
    const known = (entity: string) => entity === 'releasenote' || (place === 'root' && KNOWN_BELOW.has(entity))
    return [mark, ...Object.entries(ids).flatMap(([entity, id]) => (known(entity) || id === entity ? [] : [id]))]
  }
}

/** The answer is this refusal. */
export const refusedWith = (status: number, code: string): Judge => {
  return (_asked, answer) =>
    answer.status === status && answer.body.code === code ? undefined : `${answer.status} ${answer.text}`
}
