import { Button, chakra, HStack, Input, NativeSelect } from '@chakra-ui/react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as Y from 'yjs'
import type { ParserName } from '#domain/expression/engine.ts'
import { scriptOf } from '#domain/flow/document/document.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { type BlockText, isMachineTitle, textsOfBlock } from '#domain/flow/text/block-text.ts'
import { foundIn, type HitBlock, hitAt, TEXT_PARTS, type TextPart } from '#domain/flow/text/find-in-block.ts'
import { finderOf, type TextPattern } from '#domain/flow/text/find-text.ts'
import { replaceInFlow, scriptText } from '#domain/flow/text/rewrite-flow.ts'
import type { FlowHit, FlowHits, FlowsRewritten } from '#schemas/api/flow-text.ts'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useDebouncedValue } from '#web/timer.ts'
import { NOTHING, useWords } from '../canvas/canvas-context.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { type Notice, useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { useNames } from '../session/flow-names.ts'
import type { SearchScope } from '../session/search-state.ts'
import { usePhone } from '../session/use-phone.ts'
import { HitList, type HitSelection, hitKey } from './hit-list.tsx'
import { useGoToBlock, useMayReplace, useToggles } from './open-search.ts'
import { placeOf, type ReplacedFlow, type Replacement, undoReplacement } from './undo-replacement.ts'

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

interface Hits extends FlowHits {
  readonly isPending: boolean
  readonly error: unknown
}

const NONE: FlowHits = { items: [], total: 0 }

/** Hits of a text: in the open flow from its live document, in others from the server. */
const useHits = (wanted: TextPattern, scope: SearchScope): Hits => {
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

/** A place skipped by a replacement because its text changed. */
type Place = FlowsRewritten['left'][number]

interface SkippedReplacementsProps {
  readonly places: readonly Place[]
  /** Total, including places not listed. */
  readonly count: number
  readonly onGo: ReturnType<typeof useGoToBlock>
  readonly onClose: () => void
}

const MAX_SHOWN = 20

/** Which places a replacement left alone, each to be gone to. */
const SkippedReplacements = ({ places, count, onGo, onClose }: SkippedReplacementsProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { address, canvas } = useDesigner()
  const nodes = useStoreValue(canvas.flow).nodes
  if (places.length === 0) return null
  const shown = new Map(places.slice(0, MAX_SHOWN).map(place => [`${place.id} ${place.block} ${place.field}`, place]))
  const wordsOf = ({ id, name, block, field }: Place): string => {
    if (block === '') return `${name} · ${t('seek.script')}`
    const node = id === address.id ? nodes.get(block) : undefined
    const title = node === undefined ? (id === address.id ? t('seek.goneBlock') : '') : plainTitle(node, words)
    const what = field === 'title' ? t('inspector.title') : words(`block:field.${field}`, { defaultValue: field })
    return [name, title, what].filter(part => part !== '').join(' · ')
  }
  return (
    <chakra.section role="alert" px="3.5" py="2" bg="bg.warning" fontSize="sm" borderTopWidth="1px" flex="none">
      <HStack>
        <chakra.h3 flex="1" fontSize="sm" fontWeight="semibold">
          {t('seek.passedOver')}
        </chakra.h3>
        <IconButton icon={X} label={t('close')} size="xs" onClick={onClose} />
      </HStack>
      <chakra.ul listStyleType="none" m="0" maxH="160px" overflowY="auto">
        {[...shown].map(([key, place]) => (
          <li key={key}>
            <chakra.button
              type="button"
              textAlign="start"
              w="100%"
              minH="28px"
              overflowWrap="anywhere"
              textDecoration="underline"
              onClick={() => onGo(place, { block: place.block, path: [], field: '' })}
            >
              {wordsOf(place)}
            </chakra.button>
          </li>
        ))}
        {count > shown.size ? <li>{t('seek.more', { count: count - shown.size })}</li> : null}
      </chakra.ul>
    </chakra.section>
  )
}

type FoundFlows = AnswerOf<'GET /bot/{id}/flow/find'>['items']

interface ReplaceRequest {
  readonly text: string
  readonly by: string
  readonly exact: boolean
  readonly word: boolean
  readonly flows: FoundFlows
}

/** Result of a replacement, and its undo. */
interface Replaced {
  readonly texts: number
  readonly flows: number
  readonly left: readonly Place[]
  readonly undo: (() => void) | undefined
}

/** Actual replacements: without fields that changed meanwhile. */
const without = (flows: FoundFlows, left: readonly Place[]): ReplacedFlow[] => {
  const stayed = new Set(left.map(({ id, block, field }) => JSON.stringify([id, block, field])))
  return flows.map(({ id, hits }) => ({
    id,
    hits: hits.filter(({ block, path }) => !stayed.has(JSON.stringify([id, block, path[0] ?? 'title']))),
  }))
}

/** Replaces a text in flows of the bot, by the server; the whole of it can be taken back at once. */
const useReplaceElsewhere = (done: (replaced: Replaced) => void) => {
  const { t } = useTranslation('designer')
  const { notice, said } = useDesigner()
  const { bot } = useNames()
  const queries = useQueryClient()
  const rewrite = (body: BodyOf<'POST /bot/{id}/flow/replace'>) =>
    http.post('/bot/{id}/flow/replace', { params: { id: bot?.id ?? '' }, body })
  const again = () => queries.invalidateQueries({ queryKey: ['bot', bot?.id, 'find'] })
  const takeBack = async (calls: readonly Replacement[]) => {
    let missed = 0
    for (const call of calls) missed += (await rewrite(call)).left?.length ?? 0
    const text = t('seek.takenBack') + (missed === 0 ? '' : `. ${t('seek.left', { count: missed })}`)
    said.set(text)
    notice.set({ text })
    await again()
  }
  const failed = (error: unknown) => notice.set({ text: failureOf(error, t('seek.notReplaced')), tone: 'failed' })
  return useMutation({
    mutationFn: ({ flows, ...wanted }: ReplaceRequest) =>
      rewrite({ ...wanted, flows: flows.map(({ id, hits }) => ({ id, hits: hits.map(placeOf) })) }),
    onSuccess: async ({ texts, flows = 0, left = [] }, wanted) => {
      const all = wanted.flows.reduce((sum, { hits }) => sum + hits.length, 0)
      const calls = undoReplacement(without(wanted.flows, left), wanted.by)
      const undo = calls && (() => void takeBack(calls).catch(failed))
      done({ texts: texts ?? all, flows, left, undo: (texts ?? all) === 0 ? undefined : undo })
      await again()
    },
  })
}

const NONE_PASSED = { places: [], count: 0 }

const SCOPES: readonly SearchScope[] = ['flow', 'task', 'bot']

/** The hits of these parts alone. */
const inParts = ({ items }: FlowHits, parts: ReadonlySet<TextPart>): FlowHits['items'] =>
  items.flatMap(flow => {
    const hits = flow.hits.filter(({ part }) => part !== 'target' && parts.has(part))
    return hits.length === 0 ? [] : [{ ...flow, hits }]
  })

const chosenOf = (flows: FlowHits['items'], ticks: HitSelection): FlowHits['items'] =>
  flows.flatMap(flow => {
    const hits = flow.hits.filter(hit => ticks.isTicked(hitKey(flow.id, hit)))
    return hits.length === 0 ? [] : [{ ...flow, hits }]
  })

/** Result summary, also for screen readers. */
const Summary = ({
  hits,
  flows,
  isTyped,
}: {
  readonly hits: Hits
  readonly flows: FlowHits['items']
  readonly isTyped: boolean
}) => {
  const { t } = useTranslation('designer')
  const count = flows.reduce((sum, flow) => sum + flow.hits.length, 0)
  const found = hits.items.reduce((sum, flow) => sum + flow.hits.length, 0)
  const unfinished = hits.unfinished?.length ?? 0
  const words = () => {
    if (hits.error !== null) return isProblem(hits.error) ? hits.error.message : String(hits.error)
    if (!isTyped) return ''
    if (hits.isPending) return t('seek.looking')
    const all = hits.total > found ? t('seek.first', { count: found, total: hits.total }) : foundWords()
    return unfinished === 0 ? all : `${all}, ${t('seek.unfinished', { count: unfinished })}`
  }
  const foundWords = () =>
    count === 0 ? t('seek.none') : t('seek.found', { count, flows: t('seek.flows', { count: flows.length }) })
  return <output aria-live="polite">{words()}</output>
}

/** Hits in this flow, task or the whole bot, a preview of the replacement, and its execution for ticked hits. */
export const SearchHits = () => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const { bot } = useNames()
  const goTo = useGoToBlock()
  const id = useId()
  const { text, scope, isReplacing, isExact, isWholeWord } = useStoreValue(designer.seek)
  const [by, setBy] = useState('')
  const [passed, setPassed] = useState<Pick<SkippedReplacementsProps, 'places' | 'count'>>(NONE_PASSED)
  const parts = useToggles<TextPart>(TEXT_PARTS)
  const left = useToggles<string>([])
  const hits = useHits({ text, isExact, isWholeWord }, scope)
  const flows = useMemo(() => inParts(hits, parts.on), [hits, parts.on])
  const ticks: HitSelection = useMemo(
    () => ({ isTicked: key => !left.on.has(key), toggle: (keys, on) => left.set(keys, !on) }),
    [left],
  )
  const phone = usePhone()
  const mayReplace = useMayReplace()
  const chosen = useMemo(() => chosenOf(flows, ticks), [flows, ticks])
  const count = chosen.reduce((sum, flow) => sum + flow.hits.length, 0)
  const parser = bot?.expressionparser ?? 'Jexl'

  const { canvas } = designer
  const bright = scope === 'flow' && text !== '' ? flows[0]?.hits : undefined
  useEffect(() => {
    canvas.bright.set(bright === undefined ? undefined : new Set(bright.map(({ block }) => block)))
  }, [canvas, bright])
  useEffect(() => () => canvas.bright.set(undefined), [canvas])
  useEffect(() => {
    // On a phone the block sheet would cover the hits.
    if (phone) canvas.selection.set(NOTHING)
  }, [canvas, phone])

  const tell = (replaced: string, missed: number, left: readonly Place[], undo: Pick<Notice, 'undo' | 'action'>) => {
    const words = replaced + (missed === 0 ? '' : `. ${t('seek.left', { count: missed })}`)
    setPassed({ places: left, count: missed })
    designer.said.set(words)
    designer.notice.set({ text: words, ...undo })
  }
  const replaceHere = () => {
    const find = finderOf({ text, isExact, isWholeWord })
    const own = chosen[0]?.hits ?? []
    const left = replaceInFlow(designer.room.doc, { find, by, hits: own }, parser, OWN_EDIT)
    const here = { kind: designer.address.kind, id: designer.address.id, name: flows[0]?.name ?? '' }
    const places = left.map(({ block, path }) => ({ ...here, block, field: path[0] ?? 'title' }))
    tell(t('seek.replaced', { count: own.length - left.length }), left.length, places, { undo: true })
  }
  const replacing = useReplaceElsewhere(({ texts, flows: changed, left, undo }) => {
    const words = t('seek.replacedIn', { count: texts, flows: t('seek.flows', { count: changed }) })
    const action = undo && { label: t('tool.undo'), run: undo }
    tell(words, count - texts, left, action === undefined ? {} : { action })
  })
  const replace = () => {
    setPassed(NONE_PASSED)
    if (scope === 'flow') replaceHere()
    else replacing.mutate({ text, by, exact: isExact, word: isWholeWord, flows: chosen })
  }
  return (
    <>
      <div className="pl-seek">
        {isReplacing && mayReplace ? (
          <div className="pl-seek-row">
            <Input
              value={by}
              maxLength={5000}
              aria-label={t('seek.by')}
              placeholder={t('seek.by')}
              onChange={event => setBy(event.target.value)}
            />
          </div>
        ) : null}
        <div className="pl-seek-row">
          <NativeSelect.Root size="sm" w="auto">
            <NativeSelect.Field
              aria-label={t('seek.where')}
              value={scope}
              onChange={event => {
                const next = SCOPES.find(each => each === event.target.value) ?? 'flow'
                designer.seek.set(held => ({ ...held, scope: next }))
              }}
            >
              {SCOPES.map(each => (
                <option key={each} value={each}>
                  {t(`seek.scope.${each}`)}
                </option>
              ))}
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
          {TEXT_PARTS.map(part => (
            <label key={part} htmlFor={`${id}-${part}`} className="pl-seek-part">
              <input
                id={`${id}-${part}`}
                type="checkbox"
                className="pl-tick"
                checked={parts.on.has(part)}
                onChange={event => parts.set([part], event.target.checked)}
              />
              {t(`seek.part.${part}`)}
            </label>
          ))}
        </div>
      </div>
      {flows.length === 0 ? null : (
        <HitList
          flows={flows}
          by={isReplacing && mayReplace ? by : undefined}
          ticks={isReplacing && mayReplace ? ticks : undefined}
          onGo={goTo}
        />
      )}
      <SkippedReplacements {...passed} onGo={goTo} onClose={() => setPassed(NONE_PASSED)} />
      <div className="pl-seek-foot">
        <Summary hits={hits} flows={flows} isTyped={text !== ''} />
        {replacing.error === null ? null : (
          <chakra.span role="alert" fontSize="xs" color="danger.fg">
            {isProblem(replacing.error) ? replacing.error.message : String(replacing.error)}
          </chakra.span>
        )}
        {isReplacing && mayReplace ? (
          <Button
            size="sm"
            variant="solid"
            colorPalette="accent"
            disabled={count === 0 || hits.isPending}
            loading={replacing.isPending}
            onClick={replace}
          >
            {t('seek.replaceChosen', { count })}
          </Button>
        ) : null}
      </div>
    </>
  )
}
