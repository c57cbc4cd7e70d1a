import type { Viewport } from '@xyflow/react'
import { createContext, use, useSyncExternalStore } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { type Badge, type Decoration, type LinkMark, type Peer, sizeOf } from '../model/block-appearance.ts'
import { type BlockSize, type Box, COMFORTABLE, COMPACT, type Point } from '../model/geometry.ts'
import type { Translate } from '../model/label.ts'
import { createStore, type Store, useStoreValue } from '../model/store.ts'
import type { Positions } from './positions.ts'
import { createViewMotion, type ViewMotion } from './virtualization/view-motion.ts'

/** Current box of every block, recomputed only after a move, addition, removal or resize. */
const createBoxes = (flow: Store<FlowModel>, positions: Positions, size: () => BlockSize) => {
  let held: { readonly nodes: FlowModel['nodes']; readonly size: BlockSize } | undefined
  let boxes: ReadonlyMap<string, Box> = new Map()
  positions.onMoved(() => {
    held = undefined
  })
  return (): ReadonlyMap<string, Box> => {
    const now = { nodes: flow.get().nodes, size: size() }
    if (held?.nodes === now.nodes && held.size === now.size) return boxes
    held = now
    boxes = new Map([...now.nodes].map(([id, node]) => [id, { ...positions.get(id), ...sizeOf(node, now.size) }]))
    return boxes
  }
}

/** A link while it is pulled from an output. */
export interface LinkDrag extends Point {
  readonly from: string
  readonly fromConnector: string
  /** The block under the pointer that would take it. */
  readonly over: string | undefined
  /** End point of the link while its start is dragged. */
  readonly end?: Point
}

export interface Selection {
  readonly blocks: ReadonlySet<string>
  readonly links: ReadonlySet<string>
}
export const NOTHING: Selection = { blocks: new Set(), links: new Set() }

/** State that the blocks and links of one canvas read, by aspect. */
export interface CanvasState {
  readonly flow: Store<FlowModel>
  readonly positions: Positions
  /** Current box of every block. */
  readonly boxes: () => ReadonlyMap<string, Box>
  readonly selection: Store<Selection>
  readonly rings: Store<ReadonlyMap<string, readonly Peer[]>>
  readonly badges: Store<ReadonlyMap<string, Badge>>
  /** Open comment threads per block. */
  readonly threads: Store<ReadonlyMap<string, number>>
  /** The block whose comments a user opened on the canvas. */
  readonly talk: Store<string | undefined>
  readonly decorations: Store<ReadonlyMap<string, Decoration>>
  readonly linkDecorations: Store<ReadonlyMap<string, Decoration['kind']>>
  /** Links that conversations went along. */
  readonly linkMarks: Store<ReadonlyMap<string, LinkMark>>
  /** Blocks that stay bright; the rest fades. Undefined: nothing is searched for. */
  readonly bright: Store<ReadonlySet<string> | undefined>
  readonly pull: Store<LinkDrag | undefined>
  /** The link that the block which is carried would come between. */
  readonly parted: Store<string | undefined>
  /** The one block in the tab order. */
  readonly focus: Store<string | undefined>
  readonly jumpTags: Store<boolean>
  /** Whether this person looks at small blocks. */
  readonly compact: Store<boolean>
  /** The jump tag under the pointer: its link is drawn meanwhile. */
  readonly traced: Store<string | undefined>
  readonly motion: ViewMotion
  /** Blocks that are drawn now. */
  readonly drawn: Store<ReadonlySet<string>>
  /** Last viewport: the flow opens there again, in other modes too. */
  readonly camera: { at?: Viewport }
  /** This person's pointer position on the flow, while on the canvas. */
  readonly pointer: { at?: Point | undefined }
}

export const createCanvasState = (
  flow: Store<FlowModel>,
  positions: Positions,
  given: Partial<CanvasState> = {},
): CanvasState => {
  const compact = given.compact ?? createStore(false)
  return {
    flow,
    positions,
    boxes: createBoxes(flow, positions, () => blockSizeOf({ compact })),
    selection: createStore(NOTHING),
    rings: createStore<ReadonlyMap<string, readonly Peer[]>>(new Map()),
    badges: createStore<ReadonlyMap<string, Badge>>(new Map()),
    threads: createStore<ReadonlyMap<string, number>>(new Map()),
    talk: createStore<string | undefined>(undefined),
    decorations: createStore<ReadonlyMap<string, Decoration>>(new Map()),
    linkDecorations: createStore<ReadonlyMap<string, Decoration['kind']>>(new Map()),
    linkMarks: createStore<ReadonlyMap<string, LinkMark>>(new Map()),
    bright: createStore<ReadonlySet<string> | undefined>(undefined),
    pull: createStore<LinkDrag | undefined>(undefined),
    parted: createStore<string | undefined>(undefined),
    focus: createStore<string | undefined>(undefined),
    jumpTags: createStore(true),
    compact,
    traced: createStore<string | undefined>(undefined),
    motion: createViewMotion(),
    drawn: createStore<ReadonlySet<string>>(new Set()),
    camera: {},
    pointer: {},
    ...given,
  }
}

export const CanvasContext = createContext<CanvasState | undefined>(undefined)

export const useCanvas = (): CanvasState => {
  const state = use(CanvasContext)
  if (state === undefined) throw new Error('outside of a canvas')
  return state
}

const sizes = (compact: boolean): BlockSize => (compact ? COMPACT : COMFORTABLE)

/** Current block size, for all drawing and hit testing. */
export const blockSizeOf = ({ compact }: Pick<CanvasState, 'compact'>): BlockSize => sizes(compact.get())
export const useBlockSize = (): BlockSize => sizes(useStoreValue(useCanvas().compact))

/** One translator for all blocks: a hook of i18next in each of a thousand would be felt. */
export const TranslateContext = createContext<Translate>(key => key)
export const useWords = (): Translate => use(TranslateContext)

const subscribeToClasses = (listener: () => void) => {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => watch.disconnect()
}

/** React Flow sets its own color mode on the canvas; it must match the page's. */
export const useIsDarkMode = (): boolean =>
  useSyncExternalStore(subscribeToClasses, () => document.documentElement.classList.contains('dark'))
