import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type * as Y from 'yjs'
import type { ParserName } from '#domain/expression/engine.ts'
import { scriptOf } from '#domain/flow/document/document.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { type BlockText, isMachineTitle, textsOfBlock } from '#domain/flow/text/block-text.ts'
import { foundIn, type HitBlock, hitAt } from '#domain/flow/text/find-in-block.ts'
import { finderOf, type TextPattern } from '#domain/flow/text/find-text.ts'
import { scriptText } from '#domain/flow/text/rewrite-flow.ts'
import type { FlowHit, FlowHits } from '#schemas/api/flow-text.ts'
import { http } from '#web/api/http.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import type { SearchScope } from '../session/search-state.ts'

/** By block as it was read: most blocks are those of the search before. */
const read = new WeakMap<NodeModel, readonly BlockText[]>()
const textsOf = (doc: Y.Doc, node: NodeModel): readonly BlockText[] => {
  const held = read.get(node) ?? textsOfBlock(doc, node.id)
  read.set(node, held)
  return held
}

const titleOf = (node: NodeModel | undefined) =>
  node === undefined || isMachineTitle(node.title, node.type) ? '' : node.title

/** Hits that are shown; more are counted alone. */
const MAX_HITS = 2000

interface LocalHits {
  readonly hits: readonly FlowHit[]
  readonly total: number
}
const NO_HITS: LocalHits = { hits: [], total: 0 }

/** Hits in the open flow, from top to bottom; the same as the server finds in others. */
const localHits = (doc: Y.Doc, flow: FlowModel, wanted: TextPattern, parser: ParserName): LocalHits => {
  const find = finderOf(wanted)
  const sections = sectionsOf(flow)
  const hits: FlowHit[] = []
  let total = 0
  const look = (block: HitBlock, text: BlockText) => {
    for (const { part, ...place } of foundIn(text, find, parser)) {
      if (hits.length < MAX_HITS) hits.push(hitAt(block, text, place, part))
      total += 1
    }
  }
  for (const node of [...flow.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const { id, type } = node
    const block = { block: id, type, title: titleOf(node), section: titleOf(sections.get(id)) }
    for (const text of textsOf(doc, node)) look(block, text)
  }
  look({ block: '', type: '', title: '', section: '' }, scriptText(scriptOf(doc).toString()))
  return { hits, total }
}

const PAUSE = 250

export interface Hits extends FlowHits {
  readonly isPending: boolean
  readonly error: unknown
}

const NONE: FlowHits = { items: [], total: 0 }

/** Hits of a text: in the open flow from its live document, in others from the server. */
export const useHits = (wanted: TextPattern, scope: SearchScope): Hits => {
  const { room, canvas, address } = useDesigner()
  const { flow, task, bot } = useNames()
  const isLocal = scope === 'flow'
  const model = useDeferredValue(useStoreValue(canvas.flow))
  const text = useDeferredValue(wanted.text)
  const { isExact, isWholeWord } = wanted
  const parser = bot?.expressionparser ?? 'Jexl'
  const { hits, total } = useMemo(
    () => (isLocal && text !== '' ? localHits(room.doc, model, { text, isExact, isWholeWord }, parser) : NO_HITS),
    [isLocal, text, isExact, isWholeWord, room, model, parser],
  )
  const settled = useDebouncedValue(wanted.text, PAUSE)
  const query = {
    text: settled,
    exact: isExact,
    word: isWholeWord,
    ...(scope === 'task' ? { dialogtask: task?.id } : {}),
  }
  const asked = useQuery({
    queryKey: ['bot', bot?.id, 'find', query],
    queryFn: ({ signal }) => http.get('/bot/{id}/flow/find', { params: { id: bot?.id ?? '' }, query, signal }),
    enabled: !isLocal && bot !== undefined && settled !== '',
    placeholderData: keepPreviousData,
  })
  if (!isLocal) {
    const isPending = wanted.text !== '' && (asked.isFetching || settled !== wanted.text)
    const found = wanted.text === '' ? NONE : (asked.data ?? NONE)
    return { ...found, isPending, error: asked.error }
  }
  const own = {
    kind: address.kind,
    id: address.id,
    name: flow?.name ?? '',
    dialogtask: { id: task?.id ?? '', name: task?.name ?? '' },
    revision: 0,
    hits: [...hits],
  }
  return { items: hits.length === 0 ? [] : [own], total, isPending: false, error: null }
}
