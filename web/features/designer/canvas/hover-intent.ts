/** Hover delay before a block's short and full tooltip (from the specification). Milliseconds. */
const REST = { short: 500, full: 1000 } as const
/** Longest time to move from a block to its tooltip. Milliseconds. */
export const GRACE = 300
/** A pointer that was released has moved when it is further away. CSS pixels. */
const MOVED = 3

/** A block that the pointer or the keyboard rests on. */
export interface HoveredBlock {
  readonly block: string
  readonly element: HTMLElement
  readonly full: boolean
}

const HELD: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'Meta'])

type Timer = ReturnType<typeof setTimeout> | undefined

const blockAt = (target: EventTarget | null): HTMLElement | undefined => {
  if (!(target instanceof Element) || target.closest('[data-connector]') !== null) return undefined
  return target.closest<HTMLElement>('[data-block]') ?? undefined
}

/**
 * Reports which block of a canvas is hovered, and `undefined` at the end: after the grace period to reach the tooltip,
 * or at once on a press or drag. Ignores touch, and the block under the pointer after a drop until the pointer moves.
 * One set of listeners serves all blocks.
 */
export const watchHoverIntent = (root: HTMLElement, tell: (rested: HoveredBlock | undefined) => void) => {
  /** The hovered or focused block, and the one with the tooltip: they differ on the way between two. */
  let at: HTMLElement | undefined
  let shown: HTMLElement | undefined
  let pressed = false
  let held = false
  /** Release point of the pointer, until it moves away. */
  let released: { readonly x: number; readonly y: number } | undefined
  let begin: Timer
  let complete: Timer
  let end: Timer
  /** Closes the open tooltip; a pending hover keeps its timer. */
  const close = () => {
    clearTimeout(complete)
    clearTimeout(end)
    held = false
    if (shown !== undefined) tell(undefined)
    shown = undefined
  }
  const hide = () => {
    clearTimeout(begin)
    close()
  }
  const leave = () => {
    at = undefined
    hide()
  }
  const show = (element: HTMLElement, full: boolean) => {
    const block = element.dataset.block
    if (!element.isConnected || block === undefined) return leave()
    clearTimeout(end)
    shown = element
    tell({ block, element, full })
  }
  const wait = () => {
    const element = at
    clearTimeout(begin)
    if (element === undefined || pressed || released !== undefined) return
    begin = setTimeout(() => {
      clearTimeout(complete)
      show(element, false)
      complete = setTimeout(show, REST.full - REST.short, element, true)
    }, REST.short)
  }
  const hideSoon = () => {
    clearTimeout(begin)
    clearTimeout(end)
    if (shown === undefined || held) return
    end = setTimeout(() => {
      // The focused block keeps its tooltip.
      if (shown?.matches(':focus-visible') !== true) close()
    }, GRACE)
  }
  const rest = (element: HTMLElement) => {
    pressed = false
    at = element
    if (element === shown) {
      clearTimeout(begin)
      clearTimeout(end)
      return
    }
    hideSoon()
    wait()
  }
  const onOver = (event: PointerEvent) => {
    const element = blockAt(event.target)
    if (event.pointerType === 'touch' || event.buttons !== 0) leave()
    else if (element === undefined) {
      at = undefined
      hideSoon()
    } else if (element !== at) rest(element)
  }
  const onRelease = ({ clientX, clientY }: MouseEvent) => {
    released = { x: clientX, y: clientY }
    clearTimeout(begin)
  }
  const onMove = ({ clientX, clientY, buttons }: PointerEvent) => {
    if (released === undefined || buttons !== 0) return
    if (Math.hypot(clientX - released.x, clientY - released.y) < MOVED) return
    released = undefined
    wait()
  }
  const onOut = ({ relatedTarget }: PointerEvent) => {
    if (relatedTarget instanceof Node && root.contains(relatedTarget)) return
    at = undefined
    hideSoon()
  }
  const onDown = () => {
    pressed = true
    hide()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const element = blockAt(target)
    if (element?.matches(':focus-visible')) released = undefined
    // Of what is selected alone the inspector tells.
    if (element?.matches(':focus-visible') && element.ariaPressed !== 'true') rest(element)
  }
  const onBlur = () => {
    at = undefined
    hideSoon()
  }
  const onKey = ({ key }: KeyboardEvent) => {
    // Typing closes the tooltip. Modifier keys, also those of zoom, do not.
    if (key === 'Escape') leave()
    else if (!HELD.has(key)) hide()
  }
  const listening = new AbortController()
  const { signal } = listening
  root.addEventListener('pointerover', onOver, { signal })
  root.addEventListener('pointerout', onOut, { signal })
  root.addEventListener('pointerdown', onDown, { signal, capture: true })
  root.addEventListener('focusin', onFocus, { signal })
  root.addEventListener('focusout', onBlur, { signal })
  for (const kind of ['pointerup', 'drop'] as const)
    document.addEventListener(kind, onRelease, { signal, capture: true })
  root.addEventListener('pointermove', onMove, { signal, passive: true })
  document.addEventListener('keydown', onKey, { signal, capture: true })
  return {
    /** The pointer is on the tooltip, which stays open until it leaves. */
    hold: () => {
      clearTimeout(begin)
      clearTimeout(end)
      held = shown !== undefined
    },
    release: () => {
      held = false
      hideSoon()
    },
    /** The camera moved: the hover timer restarts. */
    moved: () => {
      hide()
      wait()
    },
    stop: () => {
      leave()
      listening.abort()
    },
  }
}
