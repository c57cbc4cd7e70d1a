import { useReactFlow } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { parseFlowFile } from '#domain/flow/parse-flow-file.ts'
import { blockSizeOf, NOTHING } from '../canvas/canvas-context.ts'
import { type Box, bounds, COMFORTABLE, centerOf, type Point, SIZE } from '../canvas/geometry.ts'
import { BARS, useFit } from '../canvas/use-fit.ts'
import type { Pulled } from '../canvas/use-pull.ts'
import { useWords } from '../canvas/words.ts'
import { ZOOM } from '../canvas/zoom.ts'
import type { Mode } from '../mode/mode-context.ts'
import { boxOf, shapeOf } from '../model/look.ts'
import { overlapping } from '../model/tidy.ts'
import { blockLink } from './block-link.ts'
import type { Commands } from './commands.ts'
import type { Designer } from './designer.ts'
import { chooseJson, downloadFlow } from './download.ts'
import { focusBlock, focusBlockIfLost } from './focus-block.ts'
import { offCenter } from './free-view.ts'
import { layOutFlow, type Say } from './lay-out-flow.ts'
import { printFlow } from './print-flow.ts'
import { walk } from './walk.ts'

/** What the block search was opened for. */
export interface AddRequest {
  readonly at?: Point | undefined
  readonly after?: Pulled | undefined
  readonly screen?: Point | undefined
}

/** Width of the inspector, and of the window from which on it stands beside the canvas. CSS pixels. */
const INSPECTOR = 308
const BESIDE = 1024

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Where the next block goes when nobody said: under the selected one, linked to its first free output. */
const afterSelection = (designer: Designer): { at: Point; after?: Pulled } | undefined => {
  const { flow, selection } = designer.canvas
  const [id, more] = selection.get().blocks
  const node = id === undefined || more !== undefined ? undefined : flow.get().nodes.get(id)
  if (node === undefined) return undefined
  const taken = new Set(
    [...flow.get().links.values()].flatMap(link => (link.from === node.id ? [link.fromConnector] : [])),
  )
  const free = node.outputs.find(output => output.multiple || !taken.has(output.id))
  const at = { x: node.x, y: node.y + COMFORTABLE.height + 2 * SIZE.grid }
  return { at, ...(free === undefined ? {} : { after: { from: node.id, fromConnector: free.id } }) }
}

/** The commands of one open flow; `request` holds what the block search is for. */
export const useCommandsOf = (designer: Designer, mode: Mode, name: string) => {
  const { t, i18n } = useTranslation('designer')
  const look = useWords()
  const camera = useReactFlow()
  const showAll = useFit(designer.canvas)
  const request = useRef<AddRequest>({})
  const told = useRef({ t, i18n, look, mode, name })
  told.current = { t, i18n, look, mode, name }

  return useMemo(() => {
    const { canvas, actions, mayEdit } = designer
    const duration = () => (calm() ? 0 : ZOOM.duration)
    const words: typeof t = ((...args: Parameters<typeof t>) => told.current.t(...args)) as typeof t
    const say: Say = (text, end) => {
      designer.said.set(text)
      designer.notice.set({ text, undo: end === 'undo', ...(end === 'failed' ? { tone: end } : {}) })
    }
    const center = (): Point => {
      const root = document.querySelector('.pl-canvas')?.getBoundingClientRect()
      const at = root === undefined ? { x: 0, y: 0 } : centerOf(root)
      return camera.screenToFlowPosition(at, { snapToGrid: false })
    }
    /** Where a block stands that has its middle there. */
    const around = ({ x, y }: Point): Point => {
      const { width, height } = blockSizeOf(canvas)
      return { x: x - width / 2, y: y - height / 2 }
    }
    const frame = (boxes: readonly Box[]) => {
      const all = bounds(boxes)
      if (all !== undefined) void camera.fitBounds(all, { padding: 0.3, duration: duration() })
    }
    const boxesOf = (ids: Iterable<string>) =>
      [...ids].flatMap(id => {
        const node = canvas.flow.get().nodes.get(id)
        return node === undefined ? [] : [boxOf(node, blockSizeOf(canvas))]
      })
    /** What the inspector is about to take from the canvas. */
    const opening = () => {
      const opens = canvas.selection.get().blocks.size === 0 && !told.current.mode.full && innerWidth >= BESIDE
      return opens ? INSPECTOR : 0
    }
    const show = (block: string, field?: string) => {
      const node = canvas.flow.get().nodes.get(block)
      if (node === undefined) return
      const zoom = Math.max(camera.getZoom(), 0.6)
      const { x, y } = centerOf(boxOf(node, blockSizeOf(canvas)))
      void camera.setCenter(x + offCenter(opening()) / zoom, y, { zoom, duration: duration() })
      canvas.selection.set({ blocks: new Set([block]), links: new Set() })
      canvas.focus.set(block)
      if (field !== undefined) designer.wanted.set({ block, field })
    }
    /** Moves the canvas by no more than it takes to see a block whole, beside what lies over it. */
    const reveal = (block: string, taken: number) => {
      const node = canvas.flow.get().nodes.get(block)
      const root = document.querySelector('.pl-canvas')?.getBoundingClientRect()
      if (node === undefined || root === undefined) return
      const { x, y, zoom } = camera.getViewport()
      const part = { left: 16, top: 16, right: root.width - 16 - taken, bottom: root.height - BARS }
      const [left, top] = [node.x * zoom + x, node.y * zoom + y]
      const { width, height } = boxOf(node, blockSizeOf(canvas))
      const dx = Math.max(part.left - left, Math.min(0, part.right - left - width * zoom))
      const dy = Math.max(part.top - top, Math.min(0, part.bottom - top - height * zoom))
      if (dx !== 0 || dy !== 0) void camera.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: duration() })
    }
    const passed = ({ done, skipped }: ReturnType<typeof actions.undo>, key: 'undone' | 'redone') => {
      if (!done && skipped.length === 0) return
      say(skipped.length === 0 ? words(`said.${key}`) : words('said.passedOver', { count: skipped.length }))
    }
    const commands: Commands = {
      openAdd: (at, after, screen) => {
        if (!mayEdit) return
        const wish = at === undefined ? afterSelection(designer) : { at, after }
        request.current = { ...wish, screen }
        told.current.mode.send({ type: 'ADD' })
      },
      add: type => {
        const { at, after } = request.current
        const title = type === 'marker' ? words('newMarker') : type === 'group' ? words('newGroup') : ''
        const taken = opening()
        const made = actions.add(type, title, at ?? around(center()), after)
        request.current = {}
        reveal(made, taken)
        focusBlock(made)
        designer.said.set(words('said.added', { type: words(`block:type.${type}`) }))
      },
      addAt: (type, at) => {
        request.current = { at: around(at) }
        commands.add(type)
      },
      remove: () => {
        if (!mayEdit) return
        const flow = canvas.flow.get()
        const near = canvas.focus.get()
        const { blocks, links } = actions.remove()
        // Who goes on by keyboard goes on beside what is gone.
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
        const result = actions.paste(text, center())
        if (result.pasted > 0) say(words('said.pasted', { count: result.pasted }), 'undo')
        else if ('refused' in result) say(words('said.noBlocks'), 'failed')
      },
      duplicate: () => {
        const count = mayEdit ? actions.duplicate() : 0
        if (count > 0) say(words('said.pasted', { count }), 'undo')
      },
      tidy: () => {
        const count = mayEdit ? actions.tidy() : 0
        say(words('said.tidied', { count }), count > 0 ? 'undo' : undefined)
      },
      layOut: () => {
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
      fit: () => showAll(duration()),
      zoomToSelection: () => frame(boxesOf(canvas.selection.get().blocks)),
      exportFile: () => downloadFlow(actions.file(), told.current.name),
      exportPdf: () => {
        const { name, t, look, i18n } = told.current
        printFlow({ flow: canvas.flow.get(), name, words: look, t, language: i18n.language }).catch(() =>
          say(words('said.noPdf'), 'failed'),
        )
      },
      importFile: async () => {
        const json = await chooseJson()
        if (json === undefined) return
        const parsed = parseFlowFile(json)
        if (!parsed.ok) {
          const [first] = parsed.errors
          say(words('said.badFile', { where: first?.path ?? '', what: first?.message ?? '' }), 'failed')
          return
        }
        actions.importFile(parsed.file)
        canvas.selection.set(NOTHING)
        const covered = overlapping(
          [...canvas.flow.get().nodes.values()]
            .filter(node => shapeOf(node) === undefined)
            .map(node => boxOf(node, COMFORTABLE)),
        )
        const count = Object.keys(parsed.file.operators).length
        const foreign = parsed.unknown.length > 0 ? ` ${words('said.foreign', { count: parsed.unknown.length })}` : ''
        const overlap = covered > 0 ? ` ${words('said.overlap', { count: covered })}` : ''
        const text = words('said.imported', { count }) + foreign + overlap
        designer.said.set(text)
        const tidy = { label: words('tool.tidy'), run: commands.tidy }
        designer.notice.set({ text, undo: true, ...(covered > 0 ? { action: tidy } : {}) })
        setTimeout(commands.fit, 50)
      },
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
  }, [designer, camera, showAll])
}
