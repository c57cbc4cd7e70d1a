import type { Reference } from './references.ts'

/** Of a block: the dialog that it runs and comes back from. */
interface Calling {
  readonly type: string
  readonly targets: readonly Reference[]
}

/** Dialogs that a block runs and comes back from, by id. */
export const calledBy = ({ type, targets }: Calling): readonly string[] =>
  type === 'subdialog' ? targets.flatMap(({ to, id }) => (to === 'dialog' ? [id] : [])) : []

/** All dialogs that run this one, directly or through others; `calls`: dialogs that each runs. */
export const callersOf = (calls: ReadonlyMap<string, Iterable<string>>, dialog: string): ReadonlySet<string> => {
  const direct = new Map<string, string[]>()
  for (const [caller, called] of calls) {
    for (const id of called) {
      const held = direct.get(id)
      if (held === undefined) direct.set(id, [caller])
      else held.push(caller)
    }
  }
  const found = new Set<string>()
  const open = [dialog]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const caller of direct.get(id) ?? []) {
      if (found.has(caller)) continue
      found.add(caller)
      open.push(caller)
    }
  }
  return found
}

/** Task and bot of an entity; a member is left out if it is missing or unknown. */
export interface FlowScope {
  readonly dialogtask?: string | undefined
  readonly bot?: string | undefined
}

/**
 * Whether a flow may reference an existing entity: content of another bot and handlers of another task are not allowed.
 * Unknown tasks and bots of a target are allowed.
 */
export const isWithinReach = (to: Reference['to'], target: FlowScope, flow: FlowScope): boolean => {
  if (to === 'bot') return true
  if (to === 'handler') return target.dialogtask === flow.dialogtask
  return target.bot === undefined || flow.bot === undefined || target.bot === flow.bot
}
