import type { CompiledBlock, CompiledFlow, Release, TurnSettings } from '#domain/conversation/release.ts'
import type { Json } from '#schemas/event.ts'
import { jsonEqual, textAt } from '#schemas/json.ts'
import type { PathStep } from './recording.ts'

/** Blocks that two releases run differently. A conversation that passes none of them runs alike in both. */
export interface ReleaseChange {
  /** Dialogs or scripts of the bot itself differ: every conversation may. */
  readonly isEverywhere: boolean
  /** By dialog. */
  readonly blocks: ReadonlyMap<string, ReadonlySet<string>>
}

const hasEqualOutputs = (one: CompiledBlock, other: CompiledBlock): boolean =>
  one.next.size === other.next.size && [...one.next].every(([out, to]) => other.next.get(out) === to)

/** Blocks that a jump of this one may reach without a link. */
const isJumpAlike = (block: CompiledBlock, from: CompiledFlow, to: CompiledFlow): boolean => {
  const destination = textAt(block.properties, 'destination')
  return destination === '' || from.blocks.has(destination) === to.blocks.has(destination)
}

const isBlockAlike = (block: CompiledBlock, from: CompiledFlow, to: CompiledFlow): boolean => {
  const other = to.blocks.get(block.id)
  return (
    other !== undefined &&
    other.type === block.type &&
    hasEqualOutputs(block, other) &&
    isJumpAlike(block, from, to) &&
    jsonEqual(block.properties as Json, other.properties as Json)
  )
}

const changedScripts = (from: Release, to: Release): ReadonlySet<string> => {
  const ids = new Set([...from.handlers.keys(), ...to.handlers.keys()])
  const isAlike = (id: string) => {
    const [one, other] = [from.handlers.get(id), to.handlers.get(id)]
    return one?.source === other?.source && one?.slow === other?.slow
  }
  return new Set([...ids].filter(id => !isAlike(id)))
}

const changedIn = (from: CompiledFlow, to: CompiledFlow, scripts: ReadonlySet<string>): ReadonlySet<string> => {
  if (from.revision === to.revision && scripts.size === 0) return new Set()
  const isChanged = (block: CompiledBlock) =>
    (block.type === 'handler' && scripts.has(textAt(block.properties, 'name'))) || !isBlockAlike(block, from, to)
  const changed = [...from.blocks.values()].filter(isChanged).map(({ id }) => id)
  return new Set(from.start === to.start || from.start === null ? changed : [...changed, from.start])
}

export const changeOf = (from: Release, to: Release, { mappings }: Pick<TurnSettings, 'mappings'>): ReleaseChange => {
  const scripts = changedScripts(from, to)
  const isMapped = mappings.some(({ target }) => target.action === 'callhandler' && scripts.has(target.handler))
  const dialogs = [...from.dialogs.values()]
  const isSameSet = dialogs.length === to.dialogs.size && dialogs.every(({ dialog }) => to.dialogs.has(dialog))
  const hasStart = ({ dialog, start }: CompiledFlow) =>
    (start === null) === ((to.dialogs.get(dialog)?.start ?? null) === null)
  const blocks = dialogs.map(flow => {
    const other = to.dialogs.get(flow.dialog)
    return [flow.dialog, other === undefined ? new Set<string>() : changedIn(flow, other, scripts)] as const
  })
  return { isEverywhere: isMapped || !isSameSet || !dialogs.every(hasStart), blocks: new Map(blocks) }
}

/** Whether a conversation with this path may run differently. */
export const mayDiffer = (
  { isEverywhere, blocks }: ReleaseChange,
  path: Iterable<Pick<PathStep, 'dialog' | 'block'>>,
): boolean => {
  if (isEverywhere) return true
  for (const { dialog, block } of path) if (blocks.get(dialog)?.has(block) === true) return true
  return false
}
