import { useReactFlow } from '@xyflow/react'
import type { TFunction } from 'i18next'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { timeIn } from '#web/format/time.ts'
import { blockSizeOf, useWords } from '../canvas/canvas-context.ts'
import { focusBlock, focusBlockIfLost } from '../canvas/focus-block.ts'
import { useFit } from '../canvas/zoom.ts'
import { download, downloadFlow } from '../file/download.ts'
import { type ImportTools, importFlow, replaceOpenFlow } from '../file/import-flow.ts'
import type { Mode } from '../mode/mode-context.ts'
import { boxOf, shapeOf } from '../model/block-appearance.ts'
import { recordBlockType } from '../model/block-text.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { layoutGraph, layoutPositions } from '../model/layout-graph.ts'
import { paletteEntry } from '../model/question-kinds.ts'
import { walk } from '../model/reading-order.ts'
import type { Store } from '../model/store.ts'
import type { Designer, Notice } from '../session/designer.ts'
import { layOut } from '../session/edit/layout-client.ts'
import { type InsertionPoint, onlyOpenEnd, preferredOutput } from '../session/edit/place-blocks.ts'
import { blockLink } from '../session/room/flow-address.ts'
import { viewOf } from '../session/viewport-commands.ts'
import type { AddRequest, Commands } from './commands.ts'

interface Printed {
  readonly flow: FlowModel
  readonly name: string
  /** Of the blocks. */
  readonly words: Translate
  readonly t: TFunction<'designer'>
  readonly language: string
}

/** Downloads the flow as a PDF. The PDF module loads on first use. */
const printFlow = async ({ flow, name, words, t, language }: Printed): Promise<void> => {
  const { flowPdf } = await import('../pdf/flow-pdf.ts')
  const made = timeIn(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date())
  const heading = {
    title: name,
    beside: (count: number) => t('pdf.beside', { count, made }),
    language,
    page: (number: number, of: number) => t('pdf.page', { number, of }),
    goesOn: (page: number) => t('pdf.goesOn', { page }),
    elsewhere: (page: number) => t('pdf.elsewhere', { page }),
    sections: t('pdf.sections'),
  }
  const bytes = await flowPdf(flow, heading, words)
  download(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), name, '.pdf')
}

/** Longer tasks show progress and can be canceled. Milliseconds. */
const LONG = 500

/** Announces a result, with undo or as a failure. */
type Say = (text: string, end?: 'undo' | 'failed') => void

interface Tell {
  readonly said: Say
  readonly words: TFunction<'designer'>
  readonly notice: Store<Notice | undefined>
}

const running = new WeakMap<Designer, AbortController>()

/**
 * Lays out several selected blocks, or all, in one undo step; returns the number of moved blocks. Keeps others'
 * concurrent edits: writes only positions, of blocks that still exist. A second call restarts it.
 */
const layOutFlow = async (designer: Designer, { said, words, notice }: Tell): Promise<number> => {
  const { canvas, actions } = designer
  const { selection, flow } = canvas
  running.get(designer)?.abort()
  const stop = new AbortController()
  running.set(designer, stop)
  const { blocks } = selection.get()
  const nodes = [...flow.get().nodes.values()].filter(node => shapeOf(node) === undefined)
  const ids = new Set(nodes.flatMap(({ id }) => (blocks.size < 2 || blocks.has(id) ? [id] : [])))
  const timer = setTimeout(() => {
    notice.set({
      text: words('said.layingOut'),
      tone: 'busy',
      action: { label: words('cancel'), run: () => stop.abort() },
    })
  }, LONG)
  try {
    const graph = await layOut(layoutGraph(flow.get(), ids), stop.signal)
    const places = layoutPositions(graph, flow.get())
    actions.move(places)
    said(words('said.tidied', { count: places.size }), places.size > 0 ? 'undo' : undefined)
    return places.size
  } catch {
    if (running.get(designer) === stop) said(words(stop.signal.aborted ? 'said.notLaidOut' : 'said.noLayout'), 'failed')
    return 0
  } finally {
    clearTimeout(timer)
  }
}

const focusedBlock = () => document.activeElement?.closest<HTMLElement>('[data-block]')?.dataset.block

/** Default predecessor of the next block: the selected block or link, else the focused block. */
const afterSelection = ({ canvas }: Designer): InsertionPoint | undefined => {
  const flow = canvas.flow.get()
  const { blocks, links } = canvas.selection.get()
  const [id = focusedBlock(), more] = [...blocks, ...links]
  if (id === undefined || more !== undefined) return undefined
  const link = flow.links.get(id)
  const source = flow.nodes.get(link?.from ?? id)
  if (source === undefined) return undefined
  const output = link === undefined ? preferredOutput(flow, source.id) : link
  return { source, output: output && { from: output.from, fromConnector: output.fromConnector }, link }
}

/** Place of the block that a person searches for. */
const requestOf = (
  designer: Designer,
  at: AddRequest['at'],
  output: AddRequest['pulled'],
  screen: AddRequest['screen'],
) => {
  const source = designer.canvas.flow.get().nodes.get(output?.from ?? '')
  const after = source === undefined ? afterSelection(designer) : { source, output }
  return at === undefined ? { after, screen } : { at, pulled: output, screen }
}

/** The commands of one open flow; `request` holds what the block search is for. */
export const useDesignerCommands = (designer: Designer, mode: Mode, name: string, mayEdit: boolean) => {
  const { t, i18n } = useTranslation('designer')
  const look = useWords()
  const camera = useReactFlow()
  const showAll = useFit(designer.canvas)
  const request = useRef<AddRequest>({})
  const told = useRef({ t, i18n, look, mode, name })
  told.current = { t, i18n, look, mode, name }

  return useMemo(() => {
    const { canvas, actions } = designer
    const view = viewOf(designer, camera, () => told.current.mode.full)
    const words: typeof t = ((...args: Parameters<typeof t>) => told.current.t(...args)) as typeof t
    const say: Say = (text, end) => {
      designer.said.set(text)
      designer.notice.set({ text, undo: end === 'undo', ...(end === 'failed' ? { tone: end } : {}) })
    }
    const show = (block: string, field?: string) => {
      const node = canvas.flow.get().nodes.get(block)
      if (node === undefined) return
      view.goTo(boxOf(node, blockSizeOf(canvas)), view.opening())
      canvas.selection.set({ blocks: new Set([block]), links: new Set() })
      canvas.focus.set(block)
      if (field !== undefined) designer.wanted.set({ block, field })
    }
    /** Announces a new block, scrolls to it and focuses it. */
    const tellAdded = (id: string, text: string, taken: number) => {
      const node = canvas.flow.get().nodes.get(id)
      view.reveal([id], taken)
      designer.fresh.set(id)
      // There is no history yet.
      designer.tab.set('content')
      // Text blocks open for typing at once: the next keys are text, not commands.
      const field = blockOf(node?.type ?? '')?.words
      if (node !== undefined && shapeOf(node) !== undefined && !told.current.mode.full)
        designer.wanted.set({ block: id, typed: '', isNew: true })
      else if (field !== undefined && !told.current.mode.full) designer.wanted.set({ block: id, field, typed: '' })
      else focusBlock(id)
      designer.said.set(text)
    }
    const tellPasted = (count: number, taken: number) => {
      if (count === 0) return
      view.reveal(canvas.selection.get().blocks, taken)
      focusBlock(canvas.focus.get())
      say(words('said.pasted', { count }), 'undo')
    }
    const passed = ({ done, skipped }: ReturnType<typeof actions.undo>, key: 'undone' | 'redone') => {
      if (!done && skipped.length === 0) return
      say(skipped.length === 0 ? words(`said.${key}`) : words('said.passedOver', { count: skipped.length }))
    }
    const importing: ImportTools = {
      designer,
      t: words,
      fit: () => commands.fit(),
      tidy: () => commands.tidy(),
      openHistory: () => told.current.mode.send({ type: 'HISTORY' }),
    }
    const commands: Commands = {
      openAdd: (at, output, screen) => {
        if (!mayEdit) return
        request.current = requestOf(designer, at, output, screen)
        told.current.mode.send({ type: 'ADD' })
      },
      add: (entry, { at, pulled, after: selected } = { after: afterSelection(designer) }) => {
        if (!mayEdit) return
        const { type, kind } = paletteEntry(entry)
        recordBlockType(type)
        const isPlaced = at !== undefined || pulled !== undefined || canvas.selection.get().blocks.size > 0
        const after = selected ?? (isPlaced ? undefined : onlyOpenEnd(canvas.flow.get(), type))
        const heading = type === 'marker' ? words('newMarker') : type === 'group' ? words('newGroup') : ''
        const name = words(kind ? `block:question.${kind}` : `block:type.${type}`)
        const taken = view.opening()
        if (after === undefined) {
          const made = actions.add(entry, heading, at ?? view.around(view.center()), pulled)
          tellAdded(made, words('said.added', { type: name }), taken)
          return
        }
        const { id, how, target } = actions.addAfter(entry, heading, after)
        const title = (node: NodeModel | undefined) => (node ? plainTitle(node, told.current.look) : '')
        const ends = { from: title(after.source), to: title(canvas.flow.get().nodes.get(target ?? '')) }
        const text = words(`said.addedAs.${how}`, { type: name, ...ends })
        tellAdded(id, text, taken)
        if (how === 'kept' || how === 'closed') say(text, 'undo')
      },
      addAt: (type, at) => commands.add(type, { at: view.around(at) }),
      remove: () => {
        if (!mayEdit) return
        const flow = canvas.flow.get()
        const near = canvas.focus.get()
        const { blocks, links } = actions.remove()
        // Keyboard users continue beside the removed block.
        const next = [near, walk(flow, near, 'up'), walk(flow, near, 'down')].find(id =>
          canvas.flow.get().nodes.has(id ?? ''),
        )
        if (next !== undefined) canvas.focus.set(next)
        focusBlockIfLost(canvas.focus.get())
        if (blocks > 0) say(words('said.removed', { count: blocks }), 'undo')
        else if (links > 0) say(words('said.removedLinks', { count: links }), 'undo')
      },
      copy: () => {
        const text = actions.copy()
        if (text !== undefined) void navigator.clipboard?.writeText(text)
      },
      cut: () => {
        commands.copy()
        commands.remove()
      },
      paste: text => {
        if (!mayEdit) return
        const taken = view.opening()
        const result = actions.paste(text, canvas.pointer.at ?? view.center())
        tellPasted(result.pasted, taken)
        if ('refused' in result) say(words('said.noBlocks'), 'failed')
      },
      duplicate: () => {
        if (mayEdit) tellPasted(actions.duplicate(), view.opening())
      },
      tidy: () => {
        if (!mayEdit) return
        const tell = { said: say, words, notice: designer.notice }
        const isAll = canvas.selection.get().blocks.size < 2
        void layOutFlow(designer, tell).then(moved => moved > 0 && isAll && commands.fit())
      },
      arrange: how => {
        const count = mayEdit ? actions.arrange(how) : 0
        say(words('said.tidied', { count }), count > 0 ? 'undo' : undefined)
      },
      group: () => {
        const framed = mayEdit ? actions.group(words('newGroup')) : undefined
        if (framed !== undefined) say(words('said.grouped'), 'undo')
      },
      undo: () => mayEdit && passed(actions.undo(), 'undone'),
      redo: () => mayEdit && passed(actions.redo(), 'redone'),
      show,
      copyLink: block => {
        const [selected] = canvas.selection.get().blocks
        const wanted = block ?? selected
        if (wanted === undefined) return
        const copied = navigator.clipboard?.writeText(blockLink(wanted)) ?? Promise.reject(new Error('no clipboard'))
        copied.then(
          () => say(words('said.linkCopied')),
          () => say(words('said.notCopied'), 'failed'),
        )
      },
      fit: () => showAll(view.duration()),
      zoomToSelection: () => view.frame(canvas.selection.get().blocks),
      exportFile: () => downloadFlow(actions.file(), told.current.name),
      exportPdf: () => {
        const { name, t, look, i18n } = told.current
        printFlow({ flow: canvas.flow.get(), name, words: look, t, language: i18n.language }).catch(() =>
          say(words('said.noPdf'), 'failed'),
        )
      },
      importFile: () => void importFlow(importing),
      takeIn: coming => void replaceOpenFlow(importing, coming),
      nextProblem: () => {
        const found = designer.findings.get().filter(({ block }) => block !== '')
        const [selected] = canvas.selection.get().blocks
        const at = found.findLastIndex(({ block }) => block === selected)
        const next = found[(at + 1) % Math.max(1, found.length)]
        if (next !== undefined) show(next.block)
      },
      toggleJumpTags: () => canvas.jumpTags.set(shown => !shown),
      toggleCompact: () => {
        canvas.compact.set(compact => !compact)
        designer.said.set(words(canvas.compact.get() ? 'said.compact' : 'said.comfortable'))
      },
      toggleNews: () => {
        designer.news.set(on => !on)
        say(words(designer.news.get() ? 'said.newsOn' : 'said.newsOff'))
      },
    }
    return { commands, request }
  }, [designer, camera, showAll, mayEdit])
}
