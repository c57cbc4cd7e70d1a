import { Box, type BoxProps } from '@chakra-ui/react'
import { type ReactNode, Suspense, useLayoutEffect, useRef } from 'react'

interface Props extends BoxProps {
  readonly anchor: HTMLElement | null
  readonly onClose: () => void
  /** Which edge of the anchor it keeps to. */
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}

const GAP = 6
const MARGIN = 8

const place = (box: HTMLElement, anchor: HTMLElement, align: 'start' | 'end') => {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const left = align === 'start' ? at.left : at.right - width
  const below = at.bottom + GAP
  const fits = below + height + MARGIN <= innerHeight || at.top < height + GAP + MARGIN
  box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  box.style.top = `${Math.max(MARGIN, fits ? Math.min(below, innerHeight - height - MARGIN) : at.top - height - GAP)}px`
}

/** A box beside its anchor in the browser's top layer: a press outside or Escape closes it and gives the focus back. */
export const AnchoredPopover = ({ anchor, onClose, align = 'start', children, ...props }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const shown = box.current
    if (shown === null || anchor === null) return
    shown.showPopover()
    place(shown, anchor, align)
    const size = new ResizeObserver(() => place(shown, anchor, align))
    size.observe(shown)
    const first = shown.querySelector<HTMLElement>('[data-autofocus],[role^=menuitem],input,button,[tabindex="0"]')
    first?.focus({ preventScroll: true })
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current()
    }
    shown.addEventListener('toggle', onToggle)
    return () => {
      size.disconnect()
      shown.removeEventListener('toggle', onToggle)
      if (shown.contains(document.activeElement) || document.activeElement === document.body) anchor.focus()
    }
  }, [anchor, align])
  return (
    <Box
      ref={box}
      popover="auto"
      position="fixed"
      inset="auto"
      m="0"
      p="0"
      bg="bg.raised"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="lg"
      boxShadow="overlay"
      maxW="calc(100vw - 16px)"
      maxH="calc(100dvh - 16px)"
      overflow="auto"
      animation="fade-in 160ms"
      {...props}
    >
      {/* Content that still loads must not hide the page: its anchor would be detached, which closes the popover. */}
      <Suspense fallback={null}>{children}</Suspense>
    </Box>
  )
}
