/** When a block that is rested on tells of itself in short, and in full (the specification's delays). Milliseconds. */
export const REST = { short: 500, full: 1000 } as const

/** A block that the pointer or the keyboard rests on. */
export interface Rested {
  readonly block: string
  readonly element: HTMLElement
  readonly full: boolean
}

const blockAt = (target: EventTarget | null): HTMLElement | undefined => {
  if (!(target instanceof Element) || target.closest('[data-connector]') !== null) return undefined
  return target.closest<HTMLElement>('[data-block]') ?? undefined
}

/**
 * Tells which block of a canvas is rested on, and `undefined` when that is over: with the first step off it, and when
 * something is pressed or carried. Never for touch. One set of listeners serves all blocks.
 */
export const watchRest = (root: HTMLElement, tell: (rested: Rested | undefined) => void) => {
  let element: HTMLElement | undefined
  let pressed = false
  let shown = false
  let timers: readonly ReturnType<typeof setTimeout>[] = []
  const hide = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    if (shown) tell(undefined)
    shown = false
  }
  const leave = () => {
    element = undefined
    hide()
  }
  const wait = () => {
    hide()
    const at = element
    const block = at?.dataset.block
    if (at === undefined || block === undefined || pressed) return
    const show = (full: boolean) => {
      if (!at.isConnected) return leave()
      shown = true
      tell({ block, element: at, full })
    }
    timers = [setTimeout(show, REST.short, false), setTimeout(show, REST.full, true)]
  }
  const rest = (at: HTMLElement) => {
    pressed = false
    element = at
    wait()
  }
  const onOver = (event: PointerEvent) => {
    const at = blockAt(event.target)
    if (at === undefined || event.pointerType === 'touch' || event.buttons !== 0) leave()
    else if (at !== element) rest(at)
  }
  const onOut = ({ relatedTarget }: PointerEvent) => {
    if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) leave()
  }
  const onDown = () => {
    pressed = true
    hide()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const at = blockAt(target)
    if (at?.matches(':focus-visible')) rest(at)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave()
  }
  const listening = new AbortController()
  const { signal } = listening
  root.addEventListener('pointerover', onOver, { signal })
  root.addEventListener('pointerout', onOut, { signal })
  root.addEventListener('pointerdown', onDown, { signal, capture: true })
  root.addEventListener('focusin', onFocus, { signal })
  root.addEventListener('focusout', leave, { signal })
  document.addEventListener('keydown', onKey, { signal, capture: true })
  return {
    /** The camera moved: what is rested on begins to be so anew. */
    moved: wait,
    stop: () => {
      leave()
      listening.abort()
    },
  }
}
