import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type { TextPattern } from '#domain/flow/text/find-text.ts'
import type { FlowHits } from '#schemas/api/flow-text.ts'
import { http } from '#web/api/http.ts'
import { useDebouncedValue } from '#web/use-debounced-value.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/names-context.ts'
import type { SeekScope } from '../session/search-state.ts'
import { localHits, NO_HITS } from './local-hits.ts'

const PAUSE = 250

export interface Hits extends FlowHits {
  readonly isPending: boolean
  readonly error: unknown
}

const NONE: FlowHits = { items: [], total: 0 }

/** Hits of a text: in the open flow from its live document, in others from the server. */
export const useHits = (wanted: TextPattern, scope: SeekScope): Hits => {
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
