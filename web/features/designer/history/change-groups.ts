import type { NodeModel } from '#domain/flow/document/model.ts'
import type { MarkKind } from '#web/entity/flow/read-revisions.ts'
import { outputLabel, type Translate } from '../model/label.ts'
import { fieldRows, isOutputs } from './field-row.ts'
import type { ChangeEntry } from './scene.ts'

/** An output or link of a block, and what happened to it. */
export interface WayChange {
  readonly kind: MarkKind
  readonly id: string
  readonly words: string
  /** Its words before, or the block that it led to. */
  readonly was?: string
}

/** Outputs that came, went or were renamed in the file, by their words. */
export const outputChanges = (
  before: NodeModel | undefined,
  after: NodeModel,
  words: Translate,
): readonly WayChange[] => {
  if (before === undefined) return []
  const named = (node: NodeModel) =>
    new Map(
      node.outputs.map((output, index) => [
        output.id,
        { label: output.label, said: outputLabel(node, output, index, words) || String(index + 1) },
      ]),
    )
  const [was, is] = [named(before), named(after)]
  return [
    ...[...is].flatMap(([id, { label, said }]): readonly WayChange[] => {
      const old = was.get(id)
      if (old === undefined) return [{ kind: 'added', id, words: said }]
      return old.label === label || old.said === said ? [] : [{ kind: 'changed', id, words: said, was: old.said }]
    }),
    ...[...was].flatMap(([id, { said }]): readonly WayChange[] =>
      is.has(id) ? [] : [{ kind: 'removed', id, words: said }],
    ),
  ]
}

/** Paths by checkbox: one for each shown field, and one for all outputs. */
export const changeGroups = (
  { node, before, changes }: Pick<ChangeEntry, 'node' | 'before' | 'changes'>,
  words: Translate,
): readonly (readonly string[])[] => {
  const outputs = outputChanges(before, node, words).length === 0 ? [] : changes.filter(isOutputs)
  return [
    ...fieldRows(changes, node.type).map(({ path }) => [path]),
    ...(outputs.length === 0 ? [] : [outputs.map(({ path }) => path)]),
  ]
}
